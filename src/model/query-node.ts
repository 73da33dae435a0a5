import { type Fields, fieldsOf } from './fields.ts'
import { isObject } from './json.ts'

/** Node kinds that only determine how the query inside them is shown. */
export const WRAPPER_KINDS: readonly unknown[] = [
  'InsightVizNode',
  'DataTableNode',
  'DataVisualizationNode',
]

export interface UnwrappedQuery {
  /** The query itself, or the innermost wrapper if it contains no object. */
  readonly source: Fields
  /** The nodes around the query, the outermost first. */
  readonly wrappers: readonly Fields[]
}

/** Finds the query inside the nodes that show it. */
export function unwrapQuery(query: unknown): UnwrappedQuery {
  const wrappers: Fields[] = []
  let node = fieldsOf(query)
  while (WRAPPER_KINDS.includes(node.kind) && isObject(node.source)) {
    wrappers.push(node)
    node = node.source
  }
  return { source: node, wrappers }
}

/** Names the query inside its nodes in error messages: `query__source`. */
export const toSourceAttr = (
  attr: string,
  { wrappers }: Pick<UnwrappedQuery, 'wrappers'>,
): string => attr + '__source'.repeat(wrappers.length)

/** Fields of a query that determine how its result is drawn. */
const DRAWING_FIELDS = ['kind', 'display', 'chartSettings', 'interval'] as const

/** Removes filters and SQL, which may name customers and must not reach everyone who may see the result. */
export function toPublicQuery(query: object): Fields {
  const fields = fieldsOf(query)
  const { display } = fieldsOf(fields.trendsFilter)
  const kept = DRAWING_FIELDS.filter((key) => key in fields).map((key) => [key, fields[key]])
  return {
    ...Object.fromEntries(kept),
    ...(display !== undefined && { trendsFilter: { display } }),
    ...(fields.source !== undefined && { source: toPublicQuery(fieldsOf(fields.source)) }),
  }
}
