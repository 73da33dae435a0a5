import type { Chart } from '../../../src/charts/chart.ts'

interface Answered {
  readonly name?: string
  readonly derived_name?: string | null
  readonly query: object
  readonly result: unknown
  /** Of SQL. */
  readonly columns?: readonly string[] | null
}

/** What an insight shows, as it is drawn. SQL answers rows, and its columns beside them. */
export function toChart({ name, derived_name, query, result, columns }: Answered): Chart {
  const title = name || derived_name || 'Insight'
  if (!columns || !Array.isArray(result)) return { title, query, result }
  return { title, query, result: { columns, results: result } }
}
