import { sql } from 'kysely'
import type { Sql } from '#server/analytics/event-table.ts'
import {
  cte,
  firstReach,
  isStep,
  keepFurthest,
  keepPersonsWhoStarted,
  list,
  stepNumbers,
  time,
} from './step-columns.ts'

/** Finds steps that are consecutive events of a person, sorted by time and UUID. */
export function toStrictAttempts(last: number, windowMs: number): Sql[] {
  const later = stepNumbers(last, 2)
  const following = later.map(
    (step) =>
      sql`lead(case when ${isStep(step)} then ms end, ${sql.lit(step - 1)}) over consecutive as ${time(step)}`,
  )
  const entered = cte(
    'entered',
    sql`select * from (
      select person, s1, ms as t1, ${list(following)} from matched
      window consecutive as (partition by person order by ms, uuid)
    ) runs where s1`,
  )
  const reached = stepNumbers(last).map((step) => {
    const taken = stepNumbers(step, 2).map(
      (each) => sql`and ${time(each)} - t1 <= ${sql.lit(windowMs)}`,
    )
    const run = sql`(select * from entered where s1 ${sql.join(taken, sql` `)}) run`
    return firstReach(step, run)
  })
  const columns = [sql`uuid`, ...stepNumbers(last).map(isStep)]
  return [...keepPersonsWhoStarted(sql`s1`, columns), entered, ...reached, keepFurthest(last)]
}
