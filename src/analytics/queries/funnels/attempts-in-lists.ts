import { sql } from 'kysely'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import type { Sql } from '#server/analytics/event-table.ts'
import { cte, isNewStep, isStep, list, stepNumbers, time } from './step-columns.ts'

/**
 * Finds the same attempts as `toOrderedAttempts`, in a list of each person's steps instead of a sort for each level. For
 * an engine that has `listed_steps` and `furthest_attempt`, and plans a subquery again wherever it is used: ClickHouse's
 * engine, as WebAssembly, took 5 s of CPU time for five levels and did not plan twenty in a minute. Lists take 0.2 s.
 *
 * A grouping of many persons ends in 256 blocks, and lists cost most by the block. The order gathers them in a few, half
 * the CPU time of a funnel over a million events, and is kept because it has a limit.
 */
export function toAttemptsInLists(series: readonly EventsNode[], windowMs: number): Sql[] {
  const steps = stepNumbers(series.length)
  const places = toPlaces(series).map((place) => sql.lit(place))
  const isStepInPlace = steps.map((step, index) => sql`${isStep(step)}, ${places[index]}`)
  const times = steps.map((step) => sql`step_time(attempt, ${sql.lit(step)}) as ${time(step)}`)
  return [
    cte(
      'listed',
      sql`select person, listed_steps(ms, ${list(isStepInPlace)}) as steps
        from found group by person order by person limit 1000000000000`,
    ),
    cte(
      'furthest',
      sql`select person, furthest_attempt(steps, ${sql.lit(windowMs)}, ${list(places)}) as attempt from listed`,
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
