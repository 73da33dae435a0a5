import { toLabel } from '#model/format.ts'
import { listOf } from '#model/json.ts'
import { ALL_EVENTS, toEventsNodeLabel } from '#model/query-kinds/events.ts'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import type { TrendSeries } from '#model/query-results.ts'
import { toBreakdownLabel } from '#model/series-names.ts'
import {
  eventName,
  type KindPersons,
  longDay,
  pointOverTime,
} from '../../../persons/behind-point/point.ts'

export const persons: KindPersons<TrendsQuery> = {
  toPersons(query, result, { series: at, index }) {
    const series = listOf<TrendSeries>(result)[at]
    const day = index === undefined ? undefined : series?.days[index]
    if (!series || (index !== undefined && day === undefined)) return undefined
    const { action, breakdown_value: value, compare_label: compare } = series
    // a formula has the persons of its first series
    const order = action?.order ?? 0
    const first = query.series[0]
    const name = action ? eventName(series) : toLabel(toEventsNodeLabel(first ?? ALL_EVENTS))
    return {
      words: [
        name,
        ...(day === undefined ? [] : [longDay(day, query.interval)]),
        ...(value === undefined ? [] : [toBreakdownLabel(series)]),
        ...(compare === 'previous' ? ['previous period'] : []),
      ],
      source: {
        kind: 'InsightActorsQuery',
        source: query,
        series: order,
        ...(day !== undefined && { day }),
        ...(value !== undefined && { breakdown: value }),
        ...(compare && { compare }),
      },
    }
  },

  pointAt(result, row, column) {
    const all = listOf<TrendSeries>(result)
    const hasValues = all.some(({ aggregated_value }) => aggregated_value !== undefined)
    const overTime = all.filter(({ days }) => days.length > 0)
    if (hasValues || overTime.length === 0) return column === 1 ? { series: row } : undefined
    const point = pointOverTime(row, column)
    const series = point && overTime[point.series]
    return series && { ...point, series: all.indexOf(series) }
  },
}
