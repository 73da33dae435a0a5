import { listOf } from '../json.ts'
import type { StickinessSeries } from '../query-results.ts'
import { ALL_EVENTS, LAST_30_DAYS, withoutMath } from './events.ts'
import type { AlertProblem, AlertValue, MeasureOptions, QueryKind } from './query-kind.ts'
import { toColumnName } from './rows.ts'
import type { StickinessQuery } from './stickiness.schema.ts'

export const stickiness: QueryKind<StickinessQuery> = {
  id: 'stickiness',
  kind: 'StickinessQuery',
  name: 'Stickiness',
  description: 'How many intervals people are active in.',
  wrapper: { kind: 'InsightVizNode' },
  newQuery: {
    kind: 'StickinessQuery',
    series: [ALL_EVENTS],
    interval: 'day',
    dateRange: LAST_30_DAYS,
  },
  fields: { dates: true, filters: true, compare: true, hasInterval: () => true },
  settingsField: 'stickinessFilter',
  withEvents: (query, events) => ({ ...query, series: events.map(withoutMath) }),
  toRows(result, names) {
    const all = listOf<StickinessSeries>(result)
    const rows = (all[0]?.days ?? []).map((days, at) => [
      days,
      ...all.map(({ data }) => data[at] ?? null),
    ])
    return [['intervals', ...all.map((series) => toColumnName(series, names))], ...rows]
  },
  actors: { within: 'InsightActorsQuery', fields: ['series', 'day', 'compare'] },
  loadDrawing: async () => (await import('../charts/stickiness.ts')).drawStickiness,
  alert: { measure },
}

/** Finds the mean number of intervals in which a person was active. */
function measure(
  results: readonly unknown[],
  { seriesIndex }: MeasureOptions,
): AlertValue | AlertProblem {
  const line = (results as readonly StickinessSeries[]).filter(
    ({ compare_label }) => compare_label !== 'previous',
  )[seriesIndex]
  if (!line) return { problem: `The insight has no series ${seriesIndex}.` }
  const persons = line.data.reduce((sum, count) => sum + count, 0)
  const intervals = line.data.reduce((sum, count, at) => sum + count * (line.days[at] ?? 0), 0)
  return { value: persons === 0 ? 0 : intervals / persons, earlier: [] }
}
