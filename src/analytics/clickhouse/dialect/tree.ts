/** The parts of DuckDB's syntax trees that are translated. */
export interface Node {
  readonly class: string
  readonly type: string
  readonly alias?: string
  readonly [key: string]: unknown
}

export interface Source {
  readonly type: string
  readonly alias?: string
  readonly column_name_alias?: readonly string[]
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

export interface Query {
  readonly type: string
  readonly modifiers?: readonly Modifier[]
  readonly cte_map?: { readonly map?: readonly { readonly key: string; readonly value: Cte }[] }
  readonly [key: string]: unknown
}

interface Cte {
  readonly query: { readonly node: Query }
  readonly aliases?: readonly string[]
}

export interface Select extends Query {
  readonly select_list: readonly Node[]
  readonly from_table: Source
  readonly where_clause?: Node
  readonly group_expressions?: readonly Node[]
  readonly group_sets?: readonly (readonly number[])[]
  readonly having?: Node
  readonly qualify?: Node
  readonly aggregate_handling: string
  readonly sample?: unknown
}

export interface SetOperation extends Query {
  readonly setop_type: string
  readonly setop_all: boolean
  readonly left: Query
  readonly right: Query
}

export const childrenOf = (node: Node): readonly Node[] =>
  (node.children as readonly Node[] | undefined) ?? []

/** Refuses what has no translation: ignoring it could change a number. */
export const untranslatable = (what: string): Error =>
  new Error(`${what} has no translation for ClickHouse.`)
