import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { convert } from './convert.ts'
import { refuse } from './errors.ts'
import { listOrders } from './modifiers.ts'
import { compileOrder } from './order.ts'
import type { CompiledBody, CompiledQuery, OuterScope, ResultColumn } from './scope.ts'
import { addSizes, ONE } from './size.ts'
import { type Order, type ParsedQuery, readConstant, unknownPart } from './tree.ts'
import { commonType, expression, TYPE_NAMES } from './types.ts'

const OPERATIONS: Record<string, Sql> = {
  UNION: sql`union`,
  EXCEPT: sql`except`,
  INTERSECT: sql`intersect`,
}

const PARTS = [
  'type',
  'modifiers',
  'cte_map',
  'setop_type',
  'left',
  'right',
  'setop_all',
  'children',
]

/** Matches columns by position; the first query names them. */
export function compileSetOperation(node: ParsedQuery, outer: OuterScope): CompiledBody {
  const name = String(node.setop_type)
  const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined
  if (!operation || unknownPart(node, PARTS) || node.children) {
    throw refuse('Only UNION, EXCEPT and INTERSECT are available, without BY NAME.')
  }
  if (node.modifiers?.some(({ type }) => type === 'DISTINCT_MODIFIER'))
    throw refuse(`${name} takes no DISTINCT.`)
  const [left, right] = [node.left, node.right].map((side) =>
    outer.context.compileQuery(side as ParsedQuery, outer),
  ) as [CompiledQuery, CompiledQuery]
  const columns = commonColumns(left, right, name)
  const word = node.setop_all === true ? sql`${operation} all` : operation
  return {
    columns,
    render: (table) =>
      sql`${toSide(left, columns, outer, table)} ${word} ${toSide(right, columns, outer, table)}`,
    size: addSizes(left.size, right.size),
    tables: 1,
    levels: Math.max(left.levels, right.levels),
    orders: listOrders(node.modifiers).map((order) => toOrder(order, columns)),
    isGathered: node.setop_all !== true,
    isOneRow: false,
  }
}

function commonColumns(left: CompiledQuery, right: CompiledQuery, name: string): ResultColumn[] {
  if (left.columns.length !== right.columns.length) {
    throw refuse(`Both sides of ${name} need the same number of columns.`)
  }
  return left.columns.map((column, n) => {
    const { type: other = 'Null' as const, longest = 0 } = right.columns[n] ?? {}
    const type = commonType(column.type, other)
    if (type) {
      return { name: column.name, type, size: ONE, longest: Math.max(column.longest, longest) }
    }
    throw refuse(
      `Column ${n + 1} of ${name} is ${TYPE_NAMES[column.type]} on one side and ${TYPE_NAMES[other]} on the other.`,
    )
  })
}

function toSide(
  query: CompiledQuery,
  columns: readonly ResultColumn[],
  { context }: OuterScope,
  table: EventTable,
): Sql {
  const alias = sql.raw('u')
  const converted = columns.map(({ type }, n) => {
    const name = sql.raw(`c${n + 1}`)
    const column = expression(query.columns[n]?.type ?? 'Null', [], () => sql`${alias}.${name}`)
    const value = column.type === 'Null' ? expression(type, [], () => sql`null::text`) : column
    return sql`${convert(value, type, context).render(table)} as ${name}`
  })
  return sql`select ${sql.join(converted)} from (${query.render(table)}) ${alias}`
}

function toOrder(order: Order, columns: readonly ResultColumn[]) {
  const { expression: node } = order
  const names = node.class === 'COLUMN_REF' ? (node.column_names as readonly string[]) : []
  const wanted = names.length === 1 ? names[0]?.toLowerCase() : undefined
  const place = readConstant(node)
  const at =
    typeof place === 'number'
      ? place - 1
      : columns.findIndex(({ name }) => name.toLowerCase() === wanted)
  const column = columns[at]
  if (!column) throw refuse('ORDER BY of a UNION names a column of its first query, or its number.')
  return { ...compileOrder(order), column: `c${at + 1}`, type: column.type }
}
