import { sql } from 'kysely'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import type { Sql } from '#server/analytics/event-table.ts'
import { cte, isNewStep, isStep, list, stepNumbers, time } from './step-columns.ts'

/**
 * Finds steps in order, with any events between them. For each event that is step n, looks for the last earlier event
 * that reached step n - 1: its attempt is the tightest, so if that began too long ago, all others did too. Each level is
 * therefore one sort of the persons who got this far and of their candidate events, for any number of attempts.
 *
 * The next step may be at the same moment, as is common with coarse timestamps, unless the same event could be an
 * earlier step: then it must be later.
 *
 * A person's furthest attempt is the one that reaches the most steps; among several, the one that does so first; among
 * those, the one with the latest earlier steps.
 */
export function toOrderedAttempts(
  series: readonly EventsNode[],
  windowMs: number,
  toMilliseconds?: (time: Sql) => Sql,
): Sql[] {
  const last = series.length
  return [
    ...keepPersonsWhoContinued(last, toMilliseconds),
    cte('level1', sql`select person, ms, ms as t1 from matched where s1`),
    ...stepNumbers(last, 2).map((step) => reachStep(step, isNewStep(series, step), windowMs)),
    cte('reached1', sql`select person, t1 from starters`),
    ...stepNumbers(last, 2).map((step) => firstReach(step, sql.raw(`level${step}`))),
    keepFurthest(last),
  ]
}

/**
 * Adds `starters`, who took the first step, and `matched` with the events that may lead further. Most persons never
 * take the second step, and events before the first step or after the last second step do not matter.
 */
const keepPersonsWhoContinued = (last: number, toMilliseconds?: (time: Sql) => Sql): Sql[] => [
  sql`starters as materialized (
    select person, t1, last2 from (
      select person, ${toMilliseconds ? toTimesOfPersons(toMilliseconds) : TIMES_OF_PERSONS}
      from found group by person
    ) those where t1 is not null)`,
  sql`matched as materialized (
    select starters.person, ms, s1 and ms <= last2 as s1, ${list(stepNumbers(last, 2).map(isStep))}
    from found join starters on starters.person = found.person
    where ms >= t1 and t1 <= last2)`,
]

const TIMES_OF_PERSONS = sql`min(ms) filter (where s1) as t1, max(ms) filter (where s2) as last2`

/** Converts one time per person instead of one per event. */
const toTimesOfPersons = (toMilliseconds: (time: Sql) => Sql): Sql =>
  sql`${toMilliseconds(sql`min(at) filter (where s1)`)} as t1,
    ${toMilliseconds(sql`max(at) filter (where s2)`)} as last2`

function reachStep(step: number, sameMoment: boolean, windowMs: number): Sql {
  const before = stepNumbers(step - 1).map(time)
  const [takenRank, nextRank] = sameMoment ? [0, 1] : [1, 0]
  const taken = sql`select person, ms, ms * 2 + ${sql.lit(takenRank)} as place, false as is_next, ${list(before)}
    from ${sql.raw(`level${step - 1}`)}`
  const absent = before.map(() => sql`null::bigint`)
  const next = sql`select person, ms, ms * 2 + ${sql.lit(nextRank)}, true, ${list(absent)}
    from matched where ${isStep(step)}`
  const latest = before.map((column) => sql`max(${column}) over earlier as ${column}`)
  return cte(
    `level${step}`,
    sql`select person, ms, ${list(before)}, ms as ${time(step)} from (
      select person, ms, is_next, ${list(latest)} from (${taken} union all ${next}) chain
      window earlier as (partition by person order by place rows between unbounded preceding and 1 preceding)
    ) steps where is_next and ms - t1 <= ${sql.lit(windowMs)}`,
  )
}

/**
 * Selects each person's furthest attempt from the tables `reached1` to `reached<last>`, which contain the persons who
 * reached a step and when they took each step up to it.
 */
function keepFurthest(last: number): Sql {
  const times = stepNumbers(last).map((step) => {
    const known = stepNumbers(last, step).toReversed()
    const values = known.map((reached) => sql`${sql.raw(`r${reached}`)}.${time(step)}`)
    return sql`coalesce(${list(values)}) as ${time(step)}`
  })
  const joins = stepNumbers(last, 2).map((step) => {
    const alias = sql.raw(`r${step}`)
    return sql`left join ${sql.raw(`reached${step}`)} ${alias} on ${alias}.person = r1.person`
  })
  return cte(
    'attempts',
    sql`select r1.person as person, ${list(times)} from reached1 r1 ${sql.join(joins, sql` `)}`,
  )
}

/** Keeps the first time that a person reached a step. No time of a later attempt is earlier. */
const firstReach = (step: number, from: Sql): Sql =>
  cte(
    `reached${step}`,
    sql`select person, ${list(stepNumbers(step).map((each) => sql`min(${time(each)}) as ${time(each)}`))}
      from ${from} group by person`,
  )
