import { sql } from 'kysely'
import type { FunnelsQuery } from '#model/query-kinds/funnels.schema.ts'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { invalid } from '#server/errors.ts'
import { type Breakdown, OTHER } from '../breakdown.ts'
import type { Context } from '../plan.ts'
import { cte } from './step-columns.ts'

/**
 * `placed`: gives each attempt the value of the event that began it (if several were at that moment, the first by its
 * bytes) and its place: values by how many people have them, the rest together in the place after the last.
 */
export function breakDown(table: EventTable, breakdown: Breakdown, isFirst: Sql): Sql[] {
  const rest = sql.lit(breakdown.limit + 1)
  return [
    cte(
      'beginnings',
      sql`select person, ms, min(${table.sortable(sql`value`)}) as value
        from found join people on people.distinct_id = found.distinct_id
        where ${isFirst} group by person, ms`,
    ),
    cte(
      'valued',
      sql`select attempts.*, beginnings.value as value from attempts
        join beginnings on beginnings.person = attempts.person and beginnings.ms = attempts.t1`,
    ),
    cte(
      'ranks',
      sql`select value, row_number() over (order by count(*) desc, ${table.sortable(sql`value`)}) as rank
        from valued group by value`,
    ),
    cte(
      'placed',
      sql`select valued.*, least(rank, ${rest}) as place,
          case when rank < ${rest} then valued.value else ${sql.lit(OTHER)} end as called
        from valued join ranks on ranks.value = valued.value
        where ${breakdown.hidesOther ? sql`rank < ${rest}` : sql`true`}`,
    ),
  ]
}

/** Without a breakdown: all in one place. */
export const withoutBreakdown = (): Sql =>
  cte('placed', sql`select attempts.*, 1 as place from attempts`)

/** Whose value counts can be said in other ways upstream. */
export function requireFirstTouch({ funnelsFilter }: FunnelsQuery, { attr }: Context): void {
  const type = funnelsFilter?.breakdownAttributionType ?? 'first_touch'
  if (type === 'first_touch') return
  if (type === 'step' && !funnelsFilter?.breakdownAttributionValue) return
  throw invalid(
    `${attr}__funnelsFilter__breakdownAttributionType`,
    'A funnel is broken down by what its first step was. Leave this out.',
  )
}
