import { isQueryKind } from '#model/query-kinds/index.ts'
import { unwrapQuery } from '#model/query-node.ts'
import type { ResultRow } from '#server/features/results/cache/store.ts'
import type { AlertConfig } from './fields.ts'
import { MEASURES } from './measures/index.ts'
import type { AlertProblem, AlertValue } from './measures/measure.ts'

export interface WatchedResult {
  readonly query: unknown
  readonly row: Pick<ResultRow, 'results' | 'computed_at'>
  readonly zone: string
  readonly config: AlertConfig
}

/** Finds the number that an alert compares with its threshold. */
export function readAlertValue({
  query,
  row,
  zone,
  config,
}: WatchedResult): AlertValue | AlertProblem {
  const results = JSON.parse(row.results ?? 'null')
  if (!Array.isArray(results)) return { problem: 'The insight has no result that can be watched.' }
  const { kind, interval = 'day' } = unwrapQuery(query).source
  if (!isQueryKind(kind)) return { problem: `A ${String(kind)} cannot be watched.` }
  return MEASURES[kind](results, {
    interval: String(interval),
    zone,
    computedAt: row.computed_at,
    seriesIndex: config.series_index ?? 0,
    includeCurrent: config.check_ongoing_interval ?? false,
  })
}
