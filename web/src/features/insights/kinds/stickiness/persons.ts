import { listOf } from '#model/json.ts'
import { pluralize } from '#model/pluralize.ts'
import type { StickinessQuery } from '#model/query-kinds/stickiness.schema.ts'
import type { StickinessSeries } from '#model/query-results.ts'
import { eventName, type KindPersons, pointOverTime } from '../../../persons/behind-point/point.ts'

export const persons: KindPersons<StickinessQuery> = {
  toPersons(query, result, { series: at, index = -1 }) {
    const series = listOf<StickinessSeries>(result)[at]
    const intervals = series?.days[index]
    if (!series || intervals === undefined) return undefined
    const { action, compare_label: compare } = series
    const unit = query.interval ?? 'day'
    return {
      words: [
        eventName(series),
        `on ${pluralize(intervals, unit)}`,
        ...(compare === 'previous' ? ['previous period'] : []),
      ],
      source: {
        kind: 'InsightActorsQuery',
        source: query,
        series: action.order,
        day: intervals,
        ...(compare && { compare }),
      },
    }
  },
  pointAt: (_, row, column) => pointOverTime(row, column),
}
