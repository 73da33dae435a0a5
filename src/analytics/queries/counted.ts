import { sql } from 'kysely'
import { invalid } from '#server/errors.ts'
import type { EventTable, Sql } from '../event-table.ts'
import { type ColumnRef, groupKeyColumn } from './columns.ts'

/** The index of the type of groups that a query counts; without one it counts people. */
export type CountedType = number | null | undefined

const isGroup = (type: CountedType): type is number => type !== null && type !== undefined

/** The person of `e`, or the key of its group. */
export const toCounted = (table: EventTable, type: CountedType): Sql =>
  isGroup(type) ? table.groupKey(type) : sql`e.person`

/** Events without a group of the type are not counted. */
export const isCounted = (table: EventTable, type: CountedType): Sql[] =>
  isGroup(type) ? [sql`${table.groupKey(type)} is not null`] : []

export const countedColumns = (type: CountedType): ColumnRef[] =>
  isGroup(type) ? [groupKeyColumn(type)] : []

/** The fields of a query that choose what it counts. */
export interface Countable {
  readonly aggregation_group_type_index?: CountedType
  readonly series?: readonly { readonly math?: string | null }[]
}

/** Refuses a query whose number counts groups where the persons behind it are asked for. */
export function requirePeople(
  { aggregation_group_type_index: type, series }: Countable,
  place: number,
  attr: string,
): void {
  if (isGroup(type)) throw countsGroups(`${attr}__aggregation_group_type_index`)
  const isOfGroups = series?.[place]?.math === 'unique_group'
  if (isOfGroups) throw countsGroups(`${attr}__series__${place}__math`)
}

const countsGroups = (attr: string) =>
  invalid(attr, 'The query counts groups. Only the persons behind a number can be listed.')
