import { sql } from 'kysely'
import { toStoredText } from '../event-row.ts'
import type { EventFilter, EventKey, StoredEvent } from '../event-store.ts'
import type { Sql, StatementRow } from '../event-table.ts'

export function toListStatement(
  where: Sql,
  { keys, event, distinctId, person, after, before, arrivedAfter, limit, offset }: EventFilter,
): Sql {
  const conditions = [
    where,
    ...(keys === undefined ? [] : [isOneOf(keys)]),
    ...(event === undefined ? [] : [sql`event = ${toStoredText(event)}`]),
    ...(distinctId === undefined ? [] : [sql`distinct_id = ${toStoredText(distinctId)}`]),
    ...(person === undefined
      ? []
      : [
          sql`distinct_id in (select distinct_id from person_ids where person = ${sql.lit(person)})`,
        ]),
    ...(after === undefined ? [] : [sql`timestamp > ${after}::timestamptz`]),
    ...(before === undefined ? [] : [sql`timestamp < ${before}::timestamptz`]),
    ...(arrivedAfter === undefined ? [] : [sql`created_at > ${arrivedAfter}::timestamptz`]),
  ]
  return sql`select seq::double as seq, uuid::varchar as uuid, event, distinct_id, epoch_ms(timestamp) as timestamp, properties, epoch_ms(created_at) as created_at
    from events where ${sql.join(conditions, sql` and `)}
    order by events.timestamp desc, events.uuid desc limit ${sql.lit(limit)} offset ${sql.lit(offset)}`
}

export const toCountStatement = (where: Sql): Sql =>
  sql`select count(*) as count from events where ${where}`

/** A commit that DuckDB has ended but the store has not noticed yet is not read either, so it must not count here. */
export const toNewestStatement = (projectId: number, committedSeq: number): Sql =>
  sql`select coalesce(max(seq), 0) as newest from events
    where project_id = ${sql.lit(projectId)} and seq <= ${sql.lit(committedSeq)}`

/** Compares the times too, by which DuckDB skips most of the table. */
const isOneOf = (keys: readonly EventKey[]): Sql =>
  sql`uuid in (${sql.join(keys.map(({ uuid }) => sql`${uuid}::uuid`))})
    and timestamp in (${sql.join(keys.map(({ timestamp }) => sql`${timestamp}::timestamptz`))})`

/** Selects the full properties, in parts, of events that have only some in `events`. */
export const toPartsStatement = (seqs: readonly number[]): Sql =>
  sql`select seq::double as seq, text from whole_properties
    where seq in (${sql.join(seqs.map((seq) => sql.lit(seq)))}) order by seq, part`

export function toStoredEvents(
  rows: readonly StatementRow[],
  parts: readonly StatementRow[],
): StoredEvent[] {
  const partsOf = Map.groupBy(parts, ({ seq }) => seq)
  return rows.map((row) => toStoredEvent(row, partsOf.get(row.seq as number) ?? []))
}

function toStoredEvent(row: StatementRow, parts: readonly StatementRow[]): StoredEvent {
  const {
    seq: _,
    timestamp,
    created_at,
    ...texts
  } = row as unknown as Omit<StoredEvent, 'timestamp' | 'created_at'> & {
    seq: number
    timestamp: number
    created_at: number
  }
  return {
    ...texts,
    ...(parts.length > 0 && { properties: parts.map(({ text }) => text).join('') }),
    timestamp: new Date(timestamp).toISOString(),
    created_at: new Date(created_at).toISOString(),
  }
}
