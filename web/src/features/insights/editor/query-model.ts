import type { CommonFields, EventsNode } from '#model/query-kinds/common.schema.ts'
import {
  findKind,
  isQueryKind,
  kindOf,
  QUERY_KINDS,
  type Query,
  type QueryKindName,
  type QueryNode,
} from '#model/query-kinds/index.ts'
import type { QueryKind } from '#model/query-kinds/query-kind.ts'
import { unwrapQuery } from '#model/query-node.ts'

const kindNamed = (name: QueryKindName): QueryKind => findKind(name) as QueryKind

/** Returns a new query, of the first kind unless another is named. */
export const newNode = (name?: QueryKindName): QueryNode => {
  const [first] = QUERY_KINDS
  return wrapQuery((name ? kindNamed(name) : first)?.newQuery as Query)
}

/** Puts a query into the node that shows it by default. */
export const wrapQuery = (source: Query): QueryNode => {
  const { kind, ...settings } = kindNamed(source.kind).wrapper
  return { kind, source, ...settings }
}

/** Keeps the node directly around a query, or wraps a bare query. Returns undefined for a kind that cannot be edited. */
export function toNode(query: object): QueryNode | undefined {
  const { source, wrappers } = unwrapQuery(query)
  if (!isQueryKind(source.kind)) return undefined
  const wrapper = wrappers.at(-1)
  return wrapper ? (wrapper as unknown as QueryNode) : wrapQuery(source as unknown as Query)
}

/** Converts a query to another kind; dates, filters and events are kept where the kind has them. */
export function toKind(node: QueryNode, kind: QueryKindName): QueryNode {
  const { source } = node
  const target = newNode(kind)
  if (source.kind === kind) return node
  const { fields, textField, withEvents } = kindNamed(kind)
  if (textField || kindNamed(source.kind).textField) return target
  const { dateRange, properties, filterTestAccounts } = source as CommonFields
  const query = {
    ...target.source,
    ...(dateRange && fields.dates && { dateRange }),
    ...(properties && { properties }),
    ...(filterTestAccounts && { filterTestAccounts }),
  }
  const events = listEvents(source)
  if (!withEvents || events.length === 0) return wrapQuery(query as Query)
  return wrapQuery(withEvents(query, events) as Query)
}

/** Replaces the text of a query that people write. */
export function withText(node: QueryNode, text: string): QueryNode {
  const { textField } = kindNamed(node.source.kind)
  return textField ? { ...node, source: { ...node.source, [textField]: text } as Query } : node
}

/** Lists the events that a query counts. */
export function listEvents(source: Query): readonly EventsNode[] {
  if ('series' in source) return source.series
  return kindOf(source)?.listEvents?.(source) ?? []
}

/** Names a series, formula or condition: A, B, C... */
export const seriesLetter = (index: number): string => String.fromCharCode(65 + index)

const PROPERTY_MATHS = ['sum', 'avg', 'min', 'max', 'p25', 'median', 'p75', 'p90', 'p95', 'p99']

export const needsProperty = ({ math }: EventsNode): boolean => PROPERTY_MATHS.includes(math ?? '')
