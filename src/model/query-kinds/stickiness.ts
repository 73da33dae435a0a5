import { listOf } from '../json.ts'
import type { StickinessSeries } from '../query-results.ts'
import { ALL_EVENTS, LAST_30_DAYS, withoutMath } from './events.ts'
import type { QueryKind } from './query-kind.ts'
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
  alert: {},
}
