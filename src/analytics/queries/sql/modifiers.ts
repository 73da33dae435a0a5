import { refuse } from './errors.ts'
import type { LimitOffset } from './scope.ts'
import {
  type Modifier,
  type Node,
  type Order,
  type ParsedQuery,
  readConstant,
  unknownPart,
} from './tree.ts'

const LARGEST_LIMIT = 1_000_000_000

export function parseLimit(node: ParsedQuery): LimitOffset {
  const limits = (node.modifiers ?? []).filter(
    ({ type }) => type !== 'ORDER_MODIFIER' && type !== 'DISTINCT_MODIFIER',
  )
  const [modifier] = limits
  if (!modifier) return {}
  if (
    limits.length > 1 ||
    unknownPart(modifier, ['type', 'limit', 'offset']) ||
    modifier.type !== 'LIMIT_MODIFIER'
  ) {
    throw refuse('Only LIMIT and OFFSET with a number of rows are available.')
  }
  return { limit: toRows(modifier.limit), offset: toRows(modifier.offset) }
}

function toRows(node: Node | undefined): number | undefined {
  if (!node) return undefined
  const value = readConstant(node)
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LARGEST_LIMIT)
    return value
  throw refuse('LIMIT and OFFSET take a whole number that is written out.')
}

export const listOrders = (modifiers: readonly Modifier[] = []): readonly Order[] =>
  modifiers.flatMap(({ type, orders }) => (type === 'ORDER_MODIFIER' ? (orders ?? []) : []))
