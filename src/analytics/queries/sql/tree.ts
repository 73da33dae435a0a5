/**
 * The parts of DuckDB's `json_serialize_sql` that this code reads. Nothing is trusted: a node with any other part is
 * refused.
 */
export interface Node {
  readonly class: string
  readonly type: string
  readonly alias?: string
  readonly [key: string]: unknown
}

export interface TableNode {
  readonly type: string
  readonly alias?: string
  readonly [key: string]: unknown
}

export interface Order {
  readonly type: string
  readonly null_order: string
  readonly expression: Node
}

export interface Modifier {
  readonly type: string
  readonly orders?: readonly Order[]
  readonly limit?: Node
  readonly offset?: Node
  readonly distinct_on_targets?: readonly Node[]
}

export interface ParsedQuery {
  readonly type: string
  readonly modifiers?: readonly Modifier[]
  readonly cte_map?: { readonly map?: readonly { key: string; value: CteNode }[] }
  readonly [key: string]: unknown
}

export interface CteNode {
  readonly query: { readonly node: ParsedQuery }
  readonly aliases?: readonly string[]
  readonly [key: string]: unknown
}

export interface SelectNode extends ParsedQuery {
  readonly select_list: readonly Node[]
  readonly from_table: TableNode
  readonly where_clause?: Node
  readonly group_expressions?: readonly Node[]
  readonly group_sets?: readonly (readonly number[])[]
  readonly having?: Node
  readonly qualify?: Node
  readonly aggregate_handling: string
  readonly sample?: unknown
}

export const childrenOf = (node: Node): readonly Node[] =>
  (node.children as readonly Node[] | undefined) ?? []

/** The parts of every function call. */
export const CALL_PARTS: readonly string[] = [
  'class',
  'type',
  'alias',
  'function_name',
  'schema',
  'children',
  'distinct',
]

/** Reads the value of a constant node; undefined for any other node. */
export function readConstant(node: Node | undefined): string | number | boolean | null | undefined {
  if (node?.class !== 'CONSTANT') return undefined
  const { type, is_null, value } = node.value as {
    type: { id: string; type_info?: { scale?: number } }
    is_null: boolean
    value: unknown
  }
  if (is_null) return null
  if (type.id === 'DECIMAL' && typeof value === 'number') {
    return Number(`${value}e-${type.type_info?.scale ?? 0}`)
  }
  const isPlain =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isPlain ? value : undefined
}

/**
 * Finds a part that the compiler does not know. Later versions of DuckDB may add parts, and ignoring one could change
 * the meaning.
 */
export function unknownPart(node: object, known: readonly string[]): string | undefined {
  return Object.keys(node).find((key) => !known.includes(key) && key !== 'query_location')
}
