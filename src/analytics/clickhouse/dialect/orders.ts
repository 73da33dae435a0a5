import type { Node, Order } from '#server/analytics/queries/sql/tree.ts'
import type { Constant } from './casts.ts'
import type { Writer } from './scope.ts'

/** Writes one item of ORDER BY. NULLs are last by default, as in DuckDB. */
export function writeOrder({ type, null_order, expression }: Order, writer: Writer): string {
  const direction = type === 'DESCENDING' ? ' desc' : ''
  const nulls = null_order === 'ORDER_DEFAULT' ? '' : ` ${null_order.toLowerCase()}`
  return `${writePosition(expression, writer)}${direction}${nulls}`
}

/** Writes an item of ORDER BY or GROUP BY, in which a whole number is the position of a column. */
export function writePosition(node: Node, { write }: Writer): string {
  const { type, value } = (node.class === 'CONSTANT' ? node.value : {}) as Partial<Constant>
  return type?.id === 'INTEGER' ? String(value) : write(node).text
}
