import type { Found } from '#server/features/results/results.ts'

/** A table's rows with their columns, or what a chart shows. */
export function resultOf({ row }: Found): unknown {
  if (!row?.results) return null
  const results = JSON.parse(row.results)
  const { columns, types, hasMore } = JSON.parse(row.details)
  return columns ? { columns, types, results, hasMore } : results
}
