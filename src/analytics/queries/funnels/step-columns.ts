import { sql } from 'kysely'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import { toStoredText } from '#server/analytics/event-row.ts'
import type { Sql } from '#server/analytics/event-table.ts'

/** Names the column `t3`: when the third step was taken, in milliseconds. */
export const time = (step: number): Sql => sql.raw(`t${step}`)
/** Names the column `s3`: whether an event is the third step. */
export const isStep = (step: number): Sql => sql.raw(`s${step}`)

/** The steps between which conversion is measured, counted from 1. */
export interface StepRange {
  readonly from: number
  readonly to: number
}

/** Lists the numbers from `first` to `last`. */
export const stepNumbers = (last: number, first = 1): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)

export const list = (columns: readonly Sql[]): Sql => sql.join(columns)

/** Writes a common table expression. */
export const cte = (name: string, select: Sql): Sql => sql`${sql.raw(name)} as (${select})`

/** Adds the CTE `matched`: the found events of persons who took a first step. */
export const keepPersonsWhoStarted = (first: Sql, columns: readonly Sql[]): Sql[] => [
  sql`starters as materialized (select distinct person from found where ${first})`,
  cte(
    'matched',
    sql`select starters.person, ms, ${list(columns)}
      from found join starters on starters.person = found.person`,
  ),
]

/** Tells whether no event can match both steps. */
export const areDisjoint = (one: EventsNode, other: EventsNode): boolean =>
  Boolean(one.event && other.event) &&
  toStoredText(one.event as string) !== toStoredText(other.event as string)

/**
 * Selects each person's furthest attempt from the tables `reached1` to `reached<last>`, which contain the persons who
 * reached a step and when they took each step up to it.
 */
export function keepFurthest(last: number): Sql {
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
export const firstReach = (step: number, from: Sql): Sql =>
  cte(
    `reached${step}`,
    sql`select person, ${list(stepNumbers(step).map((each) => sql`min(${time(each)}) as ${time(each)}`))}
      from ${from} group by person`,
  )
