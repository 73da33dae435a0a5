import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { ALL_ROWS } from '../all-rows.ts'
import { windowAggregate } from './aggregates.ts'
import { compile, compileAll } from './compile-node.ts'
import { convert } from './convert.ts'
import { refuse } from './errors.ts'
import { toWhole } from './functions/callable.ts'
import { compileOrder, writeOrder } from './order.ts'
import type { NameScope } from './scope.ts'
import { CALL_PARTS, childrenOf, type Node, type Order, unknownPart } from './tree.ts'
import { constant, type Expression, expression, type Type } from './types.ts'

/** Functions without arguments. */
const RANKS: Record<string, Sql> = {
  WINDOW_ROW_NUMBER: sql`row_number()`,
  WINDOW_RANK: sql`rank()`,
  WINDOW_RANK_DENSE: sql`dense_rank()`,
}

const VALUES: Record<string, Sql> = {
  WINDOW_LAG: sql`lag`,
  WINDOW_LEAD: sql`lead`,
  WINDOW_FIRST_VALUE: sql`first_value`,
  WINDOW_LAST_VALUE: sql`last_value`,
}

const PARTS = [
  ...CALL_PARTS,
  'partitions',
  'orders',
  'start',
  'end',
  'start_expr',
  'end_expr',
  'offset_expr',
  'default_expr',
  'filter_expr',
  'ignore_nulls',
  'exclude_clause',
]

interface Call {
  readonly type: Type
  readonly args: readonly Expression[]
  readonly write: (table: EventTable, ...args: Sql[]) => Sql
  readonly cast?: Sql
}

export function compileWindow(node: Node, scope: NameScope): Expression {
  if (!scope.allowsWindows) {
    throw refuse(
      'OVER can only stand in SELECT, ORDER BY and QUALIFY. Use a subquery to filter by it.',
    )
  }
  if (node.ignore_nulls || node.exclude_clause !== 'NO_OTHER' || unknownPart(node, PARTS)) {
    throw refuse('IGNORE NULLS and EXCLUDE are not available.')
  }
  const inside: NameScope = { ...scope, allowsWindows: false }
  const call = compileCall(node, inside)
  const partitions = compileAll((node.partitions as readonly Node[] | undefined) ?? [], inside)
  const orders = ((node.orders as readonly Order[] | undefined) ?? []).map((order) => ({
    ...compileOrder(order),
    value: compile(order.expression, inside),
  }))
  const args = [...call.args, ...partitions, ...orders.map(({ value }) => value)]
  const frame = toFrame(node)
  const windowed = expression(call.type, args, (table, ...written) => {
    const own = written.splice(0, call.args.length)
    const by = written.splice(0, partitions.length)
    const over = sql.join(
      [
        by.length > 0 ? sql`partition by ${sql.join(by)}` : ALL_ROWS,
        ...(orders.length > 0
          ? [
              sql`order by ${sql.join(orders.map((order, n) => writeOrder(table, written[n] as Sql, order.value.type, order)))}`,
            ]
          : []),
        frame,
      ],
      sql` `,
    )
    const value = sql`(${call.write(table, ...own)} over (${over}))`
    return call.cast ? sql`${value}::${call.cast}` : value
  })
  return { ...windowed, isWindow: true }
}

function compileCall(node: Node, scope: NameScope): Call {
  const rank = Object.hasOwn(RANKS, node.type) ? RANKS[node.type] : undefined
  if (rank) return { type: 'Integer', args: [], write: () => rank }
  const value = Object.hasOwn(VALUES, node.type) ? VALUES[node.type] : undefined
  if (value) return compileValue(node, value, scope)
  if (node.type !== 'WINDOW_AGGREGATE') {
    throw refuse(`${String(node.function_name)} is not available with OVER.`)
  }
  const { prepared, condition } = windowAggregate(node, scope)
  if (!condition) return prepared
  const { args, write } = prepared
  return {
    ...prepared,
    args: [...args, condition],
    write: (table, ...written) =>
      sql`${write(table, ...written.slice(0, args.length))} filter (where ${written.at(-1)})`,
  }
}

/** Compiles the offset and default of `lag(x, 1, 0)`; the offset must be a constant. */
function compileValue(node: Node, name: Sql, scope: NameScope): Call {
  const [of] = compileAll(childrenOf(node), scope)
  if (!of || node.filter_expr)
    throw refuse(`${String(node.function_name)} takes a value, and no FILTER.`)
  const isShift = node.type === 'WINDOW_LAG' || node.type === 'WINDOW_LEAD'
  if (!isShift) return { type: of.type, args: [of], write: (_, x) => sql`${name}(${x})` }
  const far = node.offset_expr
    ? toWhole(compile(node.offset_expr as Node, scope), 'How far lag and lead look', 1_000_000)
    : 1
  const other = node.default_expr
    ? compile(node.default_expr as Node, scope)
    : constant(null, of.type)
  const args = [of, convert(other, of.type, scope.context)]
  return { type: of.type, args, write: (_, x, y) => sql`${name}(${x}, ${sql.lit(far)}::int, ${y})` }
}

const BOUNDS: Record<string, [mode: string, text: string]> = {
  UNBOUNDED_PRECEDING: ['', 'unbounded preceding'],
  UNBOUNDED_FOLLOWING: ['', 'unbounded following'],
  CURRENT_ROW_RANGE: ['range', 'current row'],
  CURRENT_ROW_ROWS: ['rows', 'current row'],
  EXPR_PRECEDING_ROWS: ['rows', 'preceding'],
  EXPR_FOLLOWING_ROWS: ['rows', 'following'],
}

function toFrame(node: Node): Sql {
  const [startMode, start] = toBound(node.start, node.start_expr as Node | undefined)
  const [endMode, end] = toBound(node.end, node.end_expr as Node | undefined)
  const mode = startMode || endMode || 'rows'
  if (startMode && endMode && startMode !== endMode)
    throw refuse('A window frame mixes ROWS and RANGE.')
  return sql`${sql.raw(mode)} between ${start} and ${end}`
}

function toBound(name: unknown, offset: Node | undefined): [mode: string, bound: Sql] {
  const [mode, text] = (Object.hasOwn(BOUNDS, String(name)) && BOUNDS[String(name)]) || []
  if (mode === undefined || text === undefined) {
    throw refuse('A window frame is ROWS BETWEEN numbers of rows, or left out.')
  }
  if (!offset) return [mode, sql.raw(text)]
  const value = offset.class === 'CONSTANT' ? (offset.value as { value: unknown }).value : undefined
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 1_000_000) {
    throw refuse('A window frame counts rows by a whole number that is written out.')
  }
  return [mode, sql`${sql.lit(value)} ${sql.raw(text)}`]
}
