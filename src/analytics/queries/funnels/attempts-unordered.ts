import { sql } from 'kysely'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import type { Sql } from '#server/analytics/event-table.ts'
import { cte, isStep, keepPersonsWhoStarted, list, stepNumbers, time } from './step-columns.ts'

/**
 * Finds steps in any order, all within the window. At each event, looks back at when each step was last taken and
 * ignores those outside the window. A repeated step needs as many events; an event that matches several different steps
 * counts for each of them.
 *
 * As with ordered steps, the furthest attempt has the most steps; among several, it is the first to reach them.
 */
export function toUnorderedAttempts(series: readonly EventsNode[], windowMs: number): Sql[] {
  const steps = stepNumbers(series.length)
  const latest = steps.map((step) => sql`max(${taken(step)}) over so_far as ${time(step)}`)
  const counted = steps.map(
    (step) => sql`case when ms - ${time(step)} <= ${sql.lit(windowMs)} then ${time(step)} end`,
  )
  const depth = steps.map(
    (step) => sql`case when ms - ${time(step)} <= ${sql.lit(windowMs)} then 1 else 0 end`,
  )
  return [
    ...keepPersonsWhoStarted(sql`true`, steps.map(isStep)),
    cte('repeated', sql`select *, ${list(toRepeats(series))} from matched`),
    cte(
      'seen',
      sql`select person, ms, ${list(latest)} from repeated
        window so_far as (partition by person order by ms)`,
    ),
    cte(
      'furthest',
      sql`select distinct on (person) person, ${list(counted.map((value, index) => sql`${value} as ${time(index + 1)}`))}
        from seen order by person, ${sql.join(depth, sql` + `)} desc, ms`,
    ),
    cte('moments', selectMoments(steps)),
    cte(
      'numbered',
      sql`select person, ms, row_number() over (partition by person order by ms) as step from moments`,
    ),
    cte(
      'attempts',
      sql`select person, ${list(steps.map((step) => sql`min(ms) filter (where step = ${sql.lit(step)}) as ${time(step)}`))}
        from numbered group by person`,
    ),
  ]
}

const taken = (step: number): Sql => sql.raw(`taken${step}`)

/** Lists when steps were taken. Reads `furthest` once, because ClickHouse plans it again for each time it is read. */
const selectMoments = (steps: readonly number[]): Sql => {
  const taken = steps.map((step) => sql`when ${sql.lit(step)} then ${time(step)}`)
  return sql`select person, ms from (
      select person, case number ${sql.join(taken, sql` `)} end as ms
      from furthest cross join generate_series(1, ${sql.lit(steps.length)}) as numbers(number)
    ) times where ms is not null`
}

/** Selects when a step was taken; the third occurrence of a step uses the third most recent event. */
function toRepeats(series: readonly EventsNode[]): Sql[] {
  const seen = new Map<string, number>()
  return series.map(({ event, rules, properties }, index) => {
    const identity = JSON.stringify([event, rules, properties])
    const times = seen.get(identity) ?? 0
    seen.set(identity, times + 1)
    const step = isStep(index + 1)
    const when = times
      ? sql`lag(ms, ${sql.lit(times)}) over (partition by person, ${step} order by ms)`
      : sql`ms`
    return sql`case when ${step} then ${when} end as ${taken(index + 1)}`
  })
}
