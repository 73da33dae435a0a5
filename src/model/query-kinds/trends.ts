import { settingsOf } from '../display-settings.ts'
import { displayOf, TREND_DISPLAYS, type TrendDisplay } from '../displays.ts'
import { toNumberView } from '../headline.ts'
import { listOf } from '../json.ts'
import { toNumberFormat } from '../number-format.ts'
import type { TrendSeries } from '../query-results.ts'
import { isOneNumber } from '../series-names.ts'
import { toValueTable } from '../value-table.ts'
import { ALL_EVENTS, LAST_30_DAYS } from './events.ts'
import type { QueryKind } from './query-kind.ts'
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
  settingsField: 'trendsFilter',
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
  toRows(result, names) {
    const all = listOf<TrendSeries>(result)
    const overTime = all.filter(({ days }) => days.length > 0)
    const hasValues = all.some(({ aggregated_value }) => aggregated_value !== undefined)
    if (overTime.length > 0 && !hasValues)
      return toColumnsOverTime(overTime, (line) => toColumnName(line, names))
    const rows = all.map((series) => [
      toColumnName(series, names),
      series.aggregated_value ?? series.count,
    ])
    return [['series', 'value'], ...rows]
  },

  toTextView({ query, result }) {
    const series = listOf<TrendSeries>(result)
    if (series.length === 0) return undefined
    const { form } = displayOf(TREND_DISPLAYS, query)
    const settings = settingsOf(query)
    if (form === 'number' && isOneNumber(series)) {
      return toNumberView(series, toNumberFormat(settings), settings)
    }
    return form === 'number' || form === 'table' ? toValueTable(series, settings) : undefined
  },

  actors: { within: 'InsightActorsQuery', fields: ['series', 'day', 'breakdown', 'compare'] },
  loadDrawing: async () => (await import('../charts/trends.ts')).drawTrends,
  alert: { earlier: 'intervals' },
}
