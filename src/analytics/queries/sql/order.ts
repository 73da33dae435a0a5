import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { refuse } from './errors.ts'
import type { Order } from './tree.ts'
import type { Type } from './types.ts'

export interface Direction {
  readonly isDescending: boolean
  readonly nullsFirst: boolean
}

/** Nulls come last in both directions unless the query says otherwise. */
export function compileOrder(order: Order): Direction {
  if (order.expression.class === 'STAR') {
    throw refuse('ORDER BY ALL is not available. Name the columns.')
  }
  return {
    isDescending: order.type === 'DESCENDING',
    nullsFirst: order.null_order === 'NULLS_FIRST' || order.null_order === 'NULLS FIRST',
  }
}

export function writeOrder(
  table: EventTable,
  value: Sql,
  type: Type,
  { isDescending, nullsFirst }: Direction,
): Sql {
  const sorted = type === 'String' ? table.sortable(value) : sql`(${value})`
  const direction = isDescending ? sql`desc` : sql`asc`
  return sql`${sorted} ${direction} nulls ${nullsFirst ? sql`first` : sql`last`}`
}
