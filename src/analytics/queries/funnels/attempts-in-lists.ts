import { sql } from 'kysely'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import type { Sql } from '#server/analytics/event-table.ts'
import { cte, isNewStep, isStep, list, stepNumbers, time } from './step-columns.ts'

/**
 * Finds the same attempts as `toOrderedAttempts`, in a list of each person's steps instead of a sort for each level. For
 * an engine that has `furthest_attempt`, and plans a subquery again wherever it is used: ClickHouse's engine, as
 * WebAssembly, took 5 s of CPU time for five levels and did not plan twenty in a minute. Lists take 0.2 s.
 */
export function toAttemptsInLists(series: readonly EventsNode[], windowMs: number): Sql[] {
  const steps = stepNumbers(series.length)
  const places = toPlaces(series)
  const isStepInPlace = steps.map((step, index) => sql`${isStep(step)}, ${sql.lit(places[index])}`)
  const times = steps.map((step) => sql`step_time(attempt, ${sql.lit(step)}) as ${time(step)}`)
  return [
    cte(
      'furthest',
      sql`select person, furthest_attempt(ms, ${sql.lit(windowMs)}, ${list(isStepInPlace)}) as attempt
        from found group by person`,
    ),
    cte(
      'attempts',
      sql`select * from (select person, ${list(times)} from furthest) those where t1 is not null`,
    ),
  ]
}

/**
 * Orders the steps of one moment: a step comes after the one before it if it may be at the same moment, otherwise before,
 * where it does not find it. Returns the place of each step, from 0.
 */
function toPlaces(series: readonly EventsNode[]): number[] {
  const order: number[] = []
  for (const step of stepNumbers(series.length)) {
    const previous = order.indexOf(step - 1)
    order.splice(isNewStep(series, step) ? previous + 1 : previous, 0, step)
  }
  return stepNumbers(series.length).map((step) => order.indexOf(step))
}
