import { fieldsOf, isObject, type JsonObject } from './json.ts'

/** Node kinds that only determine how the query inside them is shown. */
export const WRAPPER_KINDS: readonly unknown[] = [
  'InsightVizNode',
  'DataTableNode',
  'DataVisualizationNode',
]

export interface UnwrappedQuery {
  /** The query itself, or the innermost wrapper if it contains no object. */
  readonly source: JsonObject
  /** The nodes around the query, the outermost first. */
  readonly wrappers: readonly JsonObject[]
}

/** Finds the query inside the nodes that show it. */
export function unwrapQuery(query: unknown): UnwrappedQuery {
  const wrappers: JsonObject[] = []
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
