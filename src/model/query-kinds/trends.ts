import { displayOf, TREND_DISPLAYS, type TrendDisplay } from '../displays.ts'
import { listOf } from '../json.ts'
import type { TrendSeries } from '../query-results.ts'
import { isOneNumber, toValueRows } from '../series-names.ts'
import { ALL_EVENTS, LAST_30_DAYS } from './events.ts'
import type { AlertProblem, AlertValue, MeasureOptions, QueryKind } from './query-kind.ts'
import { toColumnName, toColumnsOverTime } from './rows.ts'
import type { TrendsQuery } from './trends.schema.ts'

export const trends: QueryKind<TrendsQuery> = {
  id: 'trends',
  kind: 'TrendsQuery',
  name: 'Trends',
  description: 'Counts and values over time.',
  wrapper: { kind: 'InsightVizNode' },
  newQuery: {
    kind: 'TrendsQuery',
    series: [{ ...ALL_EVENTS, math: 'total' }],
    interval: 'day',
    dateRange: LAST_30_DAYS,
  },
  fields: { dates: true, filters: true, compare: true, hasInterval: () => true },
  display: {
    all: TREND_DISPLAYS,
    set: ({ source, display: _, ...node }, name) => ({
      ...node,
      source: {
        ...source,
        trendsFilter: { ...source.trendsFilter, display: name as TrendDisplay },
      },
    }),
  },
  withEvents: (query, events) => ({ ...query, series: [...events] }),

  /** Returns a column per series over time, or a row per series if each has one value. */
  toRows(result) {
    const all = listOf<TrendSeries>(result)
    const overTime = all.filter(({ days }) => days.length > 0)
    const hasValues = all.some(({ aggregated_value }) => aggregated_value !== undefined)
    if (overTime.length > 0 && !hasValues) return toColumnsOverTime(overTime, toColumnName)
    const rows = all.map((series) => [
      toColumnName(series),
      series.aggregated_value ?? series.count,
    ])
    return [['series', 'value'], ...rows]
  },

  toTextView({ query, result }) {
    const series = listOf<TrendSeries>(result)
    if (series.length === 0) return undefined
    const { form } = displayOf(TREND_DISPLAYS, query)
    if (form === 'number' && isOneNumber(series)) return { form, series }
    if (form !== 'number' && form !== 'table') return undefined
    const [columns = [], ...rows] = toValueRows(series)
    return { form: 'table', columns, rows }
  },

  actors: { within: 'InsightActorsQuery', fields: ['series', 'day', 'breakdown', 'compare'] },
  loadDrawing: async () => (await import('../charts/trends.ts')).drawTrends,
  alert: { hasPrevious: true, measure },
}

/** Measures the last complete interval of the watched series. */
function measure(
  results: readonly unknown[],
  { interval, zone, computedAt, seriesIndex, includeCurrent }: MeasureOptions,
): AlertValue | AlertProblem {
  const series = (results as readonly TrendSeries[]).filter(
    ({ compare_label }) => compare_label !== 'previous',
  )
  const line = series[seriesIndex]
  if (!line) return { problem: `The insight has no series ${seriesIndex}.` }
  if (line.aggregated_value !== undefined) {
    return { value: line.aggregated_value, previous: undefined }
  }
  const isCurrent = endOfLast(line, interval, zone) > Date.parse(computedAt)
  const last = line.data.length - (isCurrent && !includeCurrent ? 2 : 1)
  const value = line.data[last]
  if (value === undefined) return { problem: 'The insight shows no complete interval.' }
  return { value, previous: line.data[last - 1] }
}

/** Returns the end of the last interval, in milliseconds. */
function endOfLast({ days }: TrendSeries, interval: string, zone: string): number {
  const start = Temporal.PlainDateTime.from((days.at(-1) ?? '1970-01-01').replace(' ', 'T'))
  return start.toZonedDateTime(zone).add({ [`${interval}s`]: 1 }).epochMilliseconds
}
