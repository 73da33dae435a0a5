import { sql } from 'kysely'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import type { Sql } from '#server/analytics/event-table.ts'
import {
  areDisjoint,
  cte,
  firstReach,
  isStep,
  keepFurthest,
  list,
  stepNumbers,
  time,
} from './step-columns.ts'

/**
 * Steps in their order, whatever lies between. For each event that is step n it is asked which events that are step
 * n - 1, and were reached themselves, lie before it; the last of them is the one whose attempt is tightest. If that one
 * began too long ago, so did all others. So each level is one sort of those who came so far and of the events that
 * could be next, however many attempts there are.
 *
 * The next step may be at the same moment, as events of coarse times often are, unless the same event could be one of
 * the steps before: then it must be later.
 *
 * The furthest attempt of a person is the one that reaches most steps; of several, the one that does so first; of
 * several, the one whose steps before are latest.
 */
export function toOrderedAttempts(series: readonly EventsNode[], windowMs: number): Sql[] {
  const last = series.length
  return [
    ...keepPeopleWhoContinued(last),
    cte('level1', sql`select person, ms, ms as t1 from matched where s1`),
    ...stepNumbers(last, 2).map((step) => {
      const before = series.slice(0, step - 1)
      const isNew = before.every((each) => areDisjoint(each, series[step - 1] as EventsNode))
      return reachStep(step, isNew, windowMs)
    }),
    cte('reached1', sql`select person, t1 from people`),
    ...stepNumbers(last, 2).map((step) => firstReach(step, sql.raw(`level${step}`))),
    keepFurthest(last),
  ]
}

/**
 * `people` who took the first step, and `matched`: what may lead further. Most people never take the second step, and
 * what they did before the first one or after the last second one matters to nobody.
 */
const keepPeopleWhoContinued = (last: number): Sql[] => [
  sql`people as materialized (
    select person, t1, last2 from (
      select person, min(ms) filter (where s1) as t1, max(ms) filter (where s2) as last2
      from found group by person
    ) those where t1 is not null)`,
  sql`matched as materialized (
    select people.person, ms, s1 and ms <= last2 as s1, ${list(stepNumbers(last, 2).map(isStep))}
    from found join people on people.person = found.person
    where ms >= t1 and t1 <= last2)`,
]

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
    ) asked where is_next and ms - t1 <= ${sql.lit(windowMs)}`,
  )
}
