import type { Chart } from '#model/chart.ts'
import { toInsightTitle } from '#model/insight-title.ts'
import { kindOf } from '#model/query-kinds/index.ts'

interface InsightResult {
  /** null if the insight is not saved. */
  readonly id?: number | null
  readonly name?: string
  readonly derived_name?: string | null
  readonly query: object
  readonly result: unknown
  /** Only SQL has columns. */
  readonly columns?: readonly string[] | null
}

/** Converts an insight's result to a chart. SQL results have rows and separate column names. */
export function toChart({
  id: insightId,
  name,
  derived_name,
  query,
  result,
  columns,
}: InsightResult): Chart {
  const title = toInsightTitle({ name, derived_name })
  const isTable = kindOf(query)?.hasColumns && Array.isArray(result)
  if (!isTable) return { title, query, result, insightId }
  return {
    title,
    query,
    insightId,
    result: { columns: columns ?? numbered(result), results: result },
  }
}

/** Fallback names for unnamed columns. */
const numbered = ([first]: readonly unknown[]): string[] =>
  Array.isArray(first) ? first.map((_, at) => `Column ${at + 1}`) : []
