import { listOf } from '#model/json.ts'
import type { LifecycleQuery } from '#model/query-kinds/lifecycle.schema.ts'
import type { LifecycleSeries } from '#model/query-results.ts'
import {
  eventName,
  type KindPersons,
  longDay,
  pointOverTime,
} from '../../../persons/behind-point/point.ts'

export const persons: KindPersons<LifecycleQuery> = {
  toPersons(query, result, { series: at, index = -1 }) {
    const series = listOf<LifecycleSeries>(result)[at]
    const day = series?.days[index]
    if (!series || day === undefined) return undefined
    const { status } = series
    return {
      words: [eventName(series), status, longDay(day, query.interval)],
      source: { kind: 'InsightActorsQuery', source: query, day, status },
      ...(status === 'dormant' && { hasEvents: false }),
    }
  },
  pointAt: (_, row, column) => pointOverTime(row, column),
}
