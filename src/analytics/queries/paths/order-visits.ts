import { sql } from 'kysely'
import type { PathsFilter } from '#model/query-kinds/paths.schema.ts'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { textLiteral } from './name-steps.ts'

const DEFAULT_STEPS = 5

/**
 * Adds the CTE `places`: the time of each visit and its position in its path, from 1, the visit before it, and whether the
 * path ends there.
 */
export function orderVisits(table: EventTable, filter: PathsFilter): Sql[] {
  const order = toOrder(table)
  const stepLimit = filter.stepLimit ?? DEFAULT_STEPS
  return filter.startPoint || filter.endPoint
    ? betweenPoints(order, filter, stepLimit)
    : fromSessionStart(order, stepLimit)
}

/** Sorts the visits of each person by time. Simultaneous ones are sorted by name. */
export const toOrder = (table: EventTable): Sql =>
  sql`partition by person order by ms, ${table.sortable(sql`name`)}`

const REACHED = sql`lag(name) over in_order as source, name as target, ms - lag(ms) over in_order as taken`

/** Selects a session's first steps. Looking back for its start avoids numbering all visits. */
function fromSessionStart(order: Sql, stepLimit: number): Sql[] {
  const cases = Array.from(
    { length: stepLimit - 1 },
    (_, index) =>
      sql`when lag(begins, ${sql.lit(index + 1)}) over in_order then ${sql.lit(index + 2)}`,
  )
  const ends = sql`lead(begins, 1, true) over in_order`
  return [
    sql`firsts as (
      select person, ms, ${REACHED}, case when begins then 1 ${sql.join(cases, sql` `)} end as place, ${ends} as ends
      from visits window in_order as (${order}))`,
    sql`places as (
      select person, ms, source, target, taken, place, ends or place = ${sql.lit(stepLimit)} as ends from firsts)`,
  ]
}

/**
 * Selects a session's steps from the first visit of the start point, or its beginning, to the next visit of the end
 * point, or its end. With an end point, keeps the last steps; with both, drops paths with more steps than the limit.
 */
function betweenPoints(
  order: Sql,
  { startPoint, endPoint }: PathsFilter,
  stepLimit: number,
): Sql[] {
  const limit = sql.lit(stepLimit)
  const isCalled = (name: string) => sql`name = ${textLiteral(name)}`
  const start = startPoint
    ? sql`min(case when ${isCalled(startPoint)} then nth end)`
    : sql`min(nth)`
  const end = endPoint
    ? sql`min(case when ${isCalled(endPoint)} and nth >= start then nth end)`
    : sql`max(nth)`
  const first = startPoint ? sql`start` : sql`greatest(start, finish - ${limit} + 1)`
  const fits = startPoint && endPoint ? sql`finish - start < ${limit}` : sql`true`
  return [
    sql`ordered as (
      select person, ms, name, ${REACHED}, row_number() over in_order as nth,
        sum(case when begins then 1 else 0 end) over (${order} rows unbounded preceding) as session
      from visits window in_order as (${order}))`,
    sql`started as (select *, ${start} over (partition by person, session) as start from ordered)`,
    sql`bounded as (select *, ${end} over (partition by person, session) as finish from started)`,
    sql`places as (
      select person, ms, source, target, taken, nth - ${first} + 1 as place,
        nth = least(finish, ${first} + ${limit} - 1) as ends
      from bounded
      where nth >= ${first} and nth <= finish and nth - ${first} < ${limit} and ${fits})`,
  ]
}
