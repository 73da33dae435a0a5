import { childrenOf, type Node, type Order } from '#server/analytics/queries/sql/tree.ts'
import { writeAggregate } from './aggregates.ts'
import { toValue, writeForm } from './casts.ts'
import { writeOrder } from './orders.ts'
import { joinTexts, type Writer } from './scope.ts'
import { untranslatable } from './tree.ts'
import { CLICKHOUSE_TYPES, type Piece } from './types.ts'

const RANKS = ['row_number', 'rank', 'dense_rank']

export function writeWindow(node: Node, writer: Writer): Piece {
  const name = String(node.function_name)
  if (node.distinct || node.ignore_nulls || node.exclude_clause !== 'NO_OTHER') {
    throw untranslatable(`A window of ${name}`)
  }
  if (RANKS.includes(name)) {
    return { text: `toInt64(${name}() over (${writeFrameless(node, writer)}))`, type: 'integer' }
  }
  if (name === 'lag' || name === 'lead') return writeShift(name, node, writer)
  const over = ` over (${writeFrameless(node, writer)}${writeFrame(node)})`
  if (name === 'first_value' || name === 'last_value') return writeEdge(name, node, writer, over)
  const aggregate = writeAggregate(node, writer, over)
  if (!aggregate) throw untranslatable(`A window of ${name}`)
  return aggregate
}

/** Writes the value of another row. ClickHouse refuses a frame, which has no effect, and needs a type that can be NULL. */
function writeShift(name: string, node: Node, writer: Writer): Piece {
  const [value, ...more] = childrenOf(node).map(writer.write)
  if (!value || more.length > 0) throw untranslatable(name)
  const { offset_expr, default_expr } = node as { offset_expr?: Node; default_expr?: Node }
  const args = [
    `toNullable(${toValue(value)})`,
    ...(offset_expr ? [writer.write(offset_expr).text] : []),
    ...(default_expr
      ? [`CAST(${writer.write(default_expr).text} AS Nullable(${CLICKHOUSE_TYPES[value.type]}))`]
      : []),
  ]
  const window = writeFrameless(node, writer)
  return { text: `${name}(${args.join(', ')}) over (${window})`, type: value.type }
}

/** Writes the value of the first or last row, also if it is NULL, which ClickHouse skips by default. */
function writeEdge(name: string, node: Node, { write }: Writer, over: string): Piece {
  const [value] = childrenOf(node).map(write)
  if (!value) throw untranslatable(name)
  return { text: `${name}_respect_nulls(toNullable(${toValue(value)}))${over}`, type: value.type }
}

function writeFrameless(node: Node, writer: Writer): string {
  const { partitions = [], orders = [] } = node as {
    partitions?: readonly Node[]
    orders?: readonly Order[]
  }
  const parts = [
    ...(partitions.length > 0 ? [`partition by ${joinTexts(partitions.map(writer.write))}`] : []),
    ...(orders.length > 0
      ? [`order by ${orders.map((order) => writeOrder(order, writer)).join(', ')}`]
      : []),
  ]
  return parts.join(' ')
}

const BOUNDS: Readonly<Record<string, string>> = {
  UNBOUNDED_PRECEDING: 'unbounded preceding',
  UNBOUNDED_FOLLOWING: 'unbounded following',
  CURRENT_ROW_RANGE: 'current row',
  CURRENT_ROW_ROWS: 'current row',
  EXPR_PRECEDING_ROWS: 'preceding',
  EXPR_FOLLOWING_ROWS: 'following',
}

function writeFrame(node: Node): string {
  if (node.start === 'UNBOUNDED_PRECEDING' && node.end === 'CURRENT_ROW_RANGE') return '' // the default
  const mode = `${node.start} ${node.end}`.includes('RANGE') ? 'range' : 'rows'
  const start = writeBound(node.start, node.start_expr as Node | undefined)
  const end = writeBound(node.end, node.end_expr as Node | undefined)
  return ` ${mode} between ${start} and ${end}`
}

function writeBound(name: unknown, rows: Node | undefined): string {
  const text = BOUNDS[String(name)]
  if (!text) throw untranslatable(`The bound ${name}`)
  return rows ? `${writeForm(rows, 'value')} ${text}` : text
}
