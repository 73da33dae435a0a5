import { sql } from 'kysely'
import { toStoredText } from './event-row.ts'
import type { EventFilter, EventKey } from './event-store.ts'
import type { Sql } from './event-table.ts'

/** Joins the conditions of a filter of `events` with others. Engines find events by their keys in different ways. */
export function toConditions(
  where: Sql,
  { keys, event, distinctId, person, after, before, arrivedAfter }: EventFilter,
  isOneOf: (keys: readonly EventKey[]) => Sql,
): Sql {
  const conditions = [
    where,
    keys && isOneOf(keys),
    event !== undefined && sql`event = ${toStoredText(event)}`,
    distinctId !== undefined && sql`distinct_id = ${toStoredText(distinctId)}`,
    person !== undefined &&
      sql`distinct_id in (select distinct_id from person_ids where person = ${person})`,
    after !== undefined && sql`timestamp > ${after}::timestamptz`,
    before !== undefined && sql`timestamp < ${before}::timestamptz`,
    arrivedAfter !== undefined && sql`created_at > ${arrivedAfter}::timestamptz`,
  ]
  return sql.join(
    conditions.filter((condition) => condition !== undefined && condition !== false),
    sql` and `,
  )
}
