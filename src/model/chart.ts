/** An insight's answer, and how it wants to be seen. */
export interface Chart {
  readonly title: string
  /** A query kind, or a node around one: `TrendsQuery`, `InsightVizNode`, `DataVisualizationNode`, ... */
  readonly query: object
  /** As `analytics/queries/results.ts` has it for this kind; null when it was not computed. */
  readonly result: unknown
}

export type Scheme = 'light' | 'dark'

export interface Look {
  readonly scheme: Scheme
  readonly animation: boolean
  /** Of the drawing, in CSS pixels. */
  readonly width: number
  readonly height: number
}

/** A query's fields, each to be checked before use. */
export type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

export const listOf = <T>(value: unknown): readonly T[] => (Array.isArray(value) ? value : [])

/** What is asked, and the outermost node, which may say how it is shown. */
export function unwrap(query: object): { readonly node: Fields; readonly source: Fields } {
  const node = fieldsOf(query)
  let source = node
  for (let depth = 0; depth < 3 && source.source; depth++) source = fieldsOf(source.source)
  return { node, source }
}

/** The `display` of a trend, or of a table of SQL. */
export function displayOf(query: object): string {
  const { node, source } = unwrap(query)
  const display = node.display ?? fieldsOf(source.trendsFilter).display
  return typeof display === 'string' ? display : 'ActionsLineGraph'
}
