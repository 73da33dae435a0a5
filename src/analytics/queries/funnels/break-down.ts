import { sql } from 'kysely'
import { OTHER } from '#model/format.ts'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import type { Breakdown } from '../breakdown.ts'
import type { BreakdownCohort } from '../breakdown-cohorts.ts'
import type { FilterContext } from '../filters.ts'
import type { Funnel } from './funnel.ts'
import { cte } from './step-columns.ts'

/** Adds CTEs that end in `placed`: the attempts with their value and its place. */
export function breakDownAttempts(table: EventTable, funnel: Funnel): Sql[] {
  const { breakdown, order, context } = funnel
  if (!breakdown) return [cte('placed', sql`select attempts.*, 1 as place from attempts`)]
  if (breakdown.cohorts) return placeCohorts(table, breakdown.cohorts, context)
  return placeValues(table, breakdown, order === 'unordered' ? sql`true` : sql`s1`)
}

/** Repeats each attempt for every cohort of its person. */
function placeCohorts(
  table: EventTable,
  all: readonly BreakdownCohort[],
  { cohorts }: FilterContext,
): Sql[] {
  const ofCohorts = all.map(({ id, value, attr }, index) => {
    const numbers = id === undefined ? undefined : cohorts.numbersOf(table, id, attr)
    return sql`select attempts.*, ${sql.lit(index + 1)} as place, ${sql.lit(value)}::text as called
      from attempts where ${numbers ? sql`person in (${numbers})` : sql`true`}`
  })
  return [cte('placed', sql.join(ofCohorts, sql` union all `))]
}

/**
 * Gives each attempt the value of the event that began it; of several at that moment, the first by its bytes. Ranks
 * values by their number of persons; the rest share the rank after the last.
 */
function placeValues(table: EventTable, breakdown: Breakdown, isFirst: Sql): Sql[] {
  const rest = sql.lit(breakdown.limit + 1)
  return [
    cte(
      'beginnings',
      sql`select person, ms, min(${table.sortable(sql`value`)}) as value
        from found where ${isFirst} group by person, ms`,
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
