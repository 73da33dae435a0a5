import { sql } from 'kysely'
import type { Sql } from '#server/analytics/event-table.ts'
import { cte, isStep, keepPersonsWhoStarted, list, stepNumbers, time } from './step-columns.ts'

/**
 * Finds steps that are consecutive events of a person, sorted by time and UUID. Of the attempts with the most steps, the
 * first counts; no time of a later one is earlier.
 */
export function toStrictAttempts(last: number, windowMs: number): Sql[] {
  const later = stepNumbers(last, 2)
  const following = later.map(
    (step) =>
      sql`lead(case when ${isStep(step)} then ms end, ${sql.lit(step - 1)}) over consecutive as ${time(step)}`,
  )
  const isLast = later.map(
    (step) =>
      sql`when ${time(step)} is null or ${time(step)} - t1 > ${sql.lit(windowMs)} then ${sql.lit(step - 1)}`,
  )
  const taken = later.map(
    (step) => sql`case when depth >= ${sql.lit(step)} then ${time(step)} end as ${time(step)}`,
  )
  return [
    ...keepPersonsWhoStarted(sql`s1`, [sql`uuid`, ...stepNumbers(last).map(isStep)]),
    cte(
      'entered',
      sql`select *, case ${sql.join(isLast, sql` `)} else ${sql.lit(last)} end as depth from (
        select person, s1, ms as t1, ${list(following)} from matched
        window consecutive as (partition by person order by ms, uuid)
      ) runs where s1`,
    ),
    cte(
      'attempts',
      sql`select distinct on (person) person, t1, ${list(taken)}
        from entered order by person, depth desc, ${list(stepNumbers(last).map(time))}`,
    ),
  ]
}
