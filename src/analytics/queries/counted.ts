import { sql } from 'kysely'
import type { EventTable, Sql } from '../event-table.ts'
import { type ColumnRef, groupKeyColumn } from './columns.ts'

/** The index of the type of groups that a query counts; without one it counts persons. */
export type CountedType = number | null | undefined

const isGroup = (type: CountedType): type is number => type !== null && type !== undefined

/** Returns the person of `e`, or the key of its group. */
export const toCounted = (table: EventTable, type: CountedType): Sql =>
  isGroup(type) ? table.groupKey(type) : sql`e.person`

/** Divides the counted persons or groups into parts: see `Strategy.parts`. */
export const toParts = (table: EventTable, type: CountedType): readonly Sql[] =>
  table.strategy.parts(toCounted(table, type), isGroup(type) ? 'text' : 'number')

/** Joins the rows that `select` finds in each part: see `EventTable.parts`. */
export const inParts = (parts: readonly Sql[], select: (isInPart: Sql) => Sql): Sql =>
  sql.join(parts.map(select), sql` union all `)

/** Events without a group of the type are not counted. */
export const isCounted = (table: EventTable, type: CountedType): Sql[] =>
  isGroup(type) ? [sql`${table.groupKey(type)} is not null`] : []

export const countedColumns = (type: CountedType): ColumnRef[] =>
  isGroup(type) ? [groupKeyColumn(type)] : []
