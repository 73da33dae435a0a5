import type { FunnelStep, TrendSeries } from '#model/query-results.ts'
import type { ResultRow } from '#server/features/results/store.ts'
import type { Config } from './schema.ts'
import type { AlertProblem, AlertValue } from './state.ts'

/** The kinds of query that come to one number. */
export const WATCHABLE = ['TrendsQuery', 'FunnelsQuery', 'HogQLQuery']

interface Source {
  readonly kind?: unknown
  readonly source?: unknown
  readonly interval?: unknown
}

/** The question inside of what shows it. */
export function sourceIn(query: unknown): Source {
  const { source } = Object(query) as Source
  return typeof source === 'object' && source !== null ? sourceIn(source) : Object(query)
}

export interface WatchedResult {
  readonly query: unknown
  readonly row: Pick<ResultRow, 'results' | 'computed_at'>
  readonly zone: string
  readonly config: Config
}

/** What the insight comes to. */
export function readAlertValue({
  query,
  row,
  zone,
  config,
}: WatchedResult): AlertValue | AlertProblem {
  const { kind, interval = 'day' } = sourceIn(query)
  const results = JSON.parse(row.results ?? 'null')
  if (!Array.isArray(results)) return { problem: 'The insight has no result that can be watched.' }
  if (kind === 'FunnelsQuery') return measureFunnel(results)
  if (kind === 'HogQLQuery') return measureTable(results)
  if (kind !== 'TrendsQuery') return { problem: `A ${String(kind)} cannot be watched.` }
  const { series_index = 0, check_ongoing_interval = false } = config
  const series = (results as TrendSeries[]).filter((one) => one.compare_label !== 'previous')
  const line = series[series_index]
  if (!line) return { problem: `The insight has no series ${series_index}.` }
  if (line.aggregated_value !== undefined) {
    return { value: line.aggregated_value, previous: undefined }
  }
  const isOngoing = endOfLast(line, String(interval), zone) > Date.parse(row.computed_at)
  const last = line.data.length - (isOngoing && !check_ongoing_interval ? 2 : 1)
  const value = line.data[last]
  if (value === undefined) return { problem: 'The insight shows no interval that is over.' }
  return { value, previous: line.data[last - 1] }
}

/** When the last interval is over, in milliseconds. */
function endOfLast({ days }: TrendSeries, interval: string, zone: string): number {
  const start = Temporal.PlainDateTime.from((days.at(-1) ?? '1970-01-01').replace(' ', 'T'))
  const end = start.toZonedDateTime(zone).add({ [`${interval}s`]: 1 })
  return end.epochMilliseconds
}

/** The share of all who began that came to the end, 0 to 1. */
function measureFunnel(results: readonly unknown[]): AlertValue | AlertProblem {
  const groups = (Array.isArray(results[0]) ? results : [results]) as readonly FunnelStep[][]
  const hasSteps = groups.every(
    (steps) => steps.length > 0 && steps.every((step) => 'count' in step),
  )
  if (!hasSteps) return { problem: 'The funnel shows no steps.' }
  const sum = (at: number) => groups.reduce((total, steps) => total + (steps.at(at)?.count ?? 0), 0)
  const began = sum(0)
  return { value: began === 0 ? 0 : sum(-1) / began, previous: undefined }
}

/** The first cell. Large numbers may come as text. */
function measureTable(results: readonly unknown[]): AlertValue | AlertProblem {
  const [cell] = Array.isArray(results[0]) ? results[0] : []
  const isNumber = typeof cell === 'number' || (typeof cell === 'string' && cell.trim() !== '')
  const value = isNumber ? Number(cell) : Number.NaN
  if (Number.isFinite(value)) return { value, previous: undefined }
  return { problem: 'The first cell of the first row is not a number.' }
}
