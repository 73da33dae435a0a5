import { listOf } from '../json.ts'
import type { LifecycleSeries } from '../query-results.ts'
import { ALL_EVENTS, LAST_30_DAYS, withoutMath } from './events.ts'
import type { LifecycleQuery } from './lifecycle.schema.ts'
import type { QueryKind } from './query-kind.ts'
import { toColumnsOverTime } from './rows.ts'

export const lifecycle: QueryKind<LifecycleQuery> = {
  id: 'lifecycle',
  kind: 'LifecycleQuery',
  name: 'Lifecycle',
  description: 'New, returning, resurrecting and dormant people.',
  wrapper: { kind: 'InsightVizNode' },
  newQuery: {
    kind: 'LifecycleQuery',
    series: [ALL_EVENTS],
    interval: 'day',
    dateRange: LAST_30_DAYS,
  },
  fields: { dates: true, filters: true, hasInterval: () => true },
  withEvents: (query, events) => ({ ...query, series: events.slice(0, 1).map(withoutMath) }),
  toRows: (result) => toColumnsOverTime(listOf<LifecycleSeries>(result), ({ status }) => status),
  actors: { within: 'InsightActorsQuery', fields: ['day', 'status'] },
  loadDrawing: async () => (await import('../charts/lifecycle.ts')).drawLifecycle,
  alert: { earlier: 'intervals' },
}
