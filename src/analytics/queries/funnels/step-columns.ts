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

/** Tells whether an event that is this step cannot be an earlier one too. */
export const isNewStep = (series: readonly EventsNode[], step: number): boolean =>
  series.slice(0, step - 1).every((each) => areDisjoint(each, series[step - 1] as EventsNode))

const areDisjoint = (one: EventsNode, other: EventsNode): boolean =>
  Boolean(one.event && other.event) &&
  toStoredText(one.event as string) !== toStoredText(other.event as string)
