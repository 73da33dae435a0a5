import { childrenOf, type Node, type Order } from '#server/analytics/queries/sql/tree.ts'
import { toValue } from './casts.ts'
import { joinTexts, type Writer } from './scope.ts'
import { untranslatable } from './tree.ts'
import type { Piece, Type } from './types.ts'

interface Aggregate {
  /** The name with the suffix that makes the result NULL if there is nothing to aggregate. */
  readonly name: string
  /** By default, the type of the argument. */
  readonly toType?: (argument: Type) => Type
  readonly toArgument?: (argument: Piece) => string
}

/** ClickHouse adds whole numbers of 64 bits without noticing that the sum has more. */
const widen = ({ text, type }: Piece): string => (type === 'integer' ? `toInt128(${text})` : text)

const AGGREGATES: Readonly<Record<string, Aggregate>> = {
  avg: { name: 'avgOrNull', toType: () => 'float' },
  bit_or: { name: 'groupBitOrOrNull' },
  max: { name: 'maxOrNull' },
  min: { name: 'minOrNull' },
  sum: {
    name: 'sumOrNull',
    toArgument: widen,
    toType: (type) => (type === 'integer' ? 'huge' : type),
  },
}

/** Writes an aggregate, `over` a window or not; undefined for other functions. */
export function writeAggregate(node: Node, writer: Writer, over = ''): Piece | undefined {
  const name = String(node.function_name)
  if (name === 'count_star' || name === 'count') return writeCount(node, writer, over)
  if (name === 'quantile_cont') return writeQuantile(node, writer)
  const aggregate = Object.hasOwn(AGGREGATES, name) ? AGGREGATES[name] : undefined
  if (!aggregate) return undefined
  const [argument] = childrenOf(node).map(writer.write)
  if (!argument || node.distinct) throw untranslatable(`${name} with DISTINCT`)
  const text = aggregate.toArgument?.(argument) ?? toValue(argument)
  const type = aggregate.toType?.(argument.type) ?? argument.type
  return { text: callFiltered(aggregate.name, text, node, writer) + over, type }
}

/** Makes the number signed, because ClickHouse mixes it with no other. */
function writeCount(node: Node, writer: Writer, over: string): Piece {
  const argument = joinTexts(childrenOf(node).map(writer.write))
  const name = node.distinct ? 'uniqExact' : 'count'
  return { text: `toInt64(${callFiltered(name, argument, node, writer)}${over})`, type: 'integer' }
}

function writeQuantile(node: Node, writer: Writer): Piece {
  const { orders = [] } = (node.order_bys ?? {}) as { orders?: readonly Order[] }
  const [level] = childrenOf(node).map(writer.write)
  const [order] = orders
  const [, share] = /^toFloat64\('([\d.e-]+)'\)$/.exec(level?.text ?? '') ?? []
  if (!order || !share || order.type === 'DESCENDING') throw untranslatable('A quantile')
  const value = writer.write(order.expression).text
  const called = callFiltered('quantileExactInclusiveOrNull', value, node, writer)
  return { text: called.replace('(', `(${Number(share)})(`), type: 'float' }
}

/** Calls an aggregate, with ClickHouse's suffix if it has a filter. */
function callFiltered(name: string, argument: string, node: Node, { write }: Writer): string {
  const filter = (node.filter ?? node.filter_expr) as Node | undefined
  if (!filter) return `${name}(${argument})`
  return `${name}If(${argument === '' ? '' : `${argument}, `}${write(filter).text})`
}
