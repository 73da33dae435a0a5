import type { WebOverviewQuery } from '#model/query-kinds/web-overview.schema.ts'
import type { KindPersons } from '../../../persons/behind-point/point.ts'

export const persons: KindPersons<WebOverviewQuery> = {
  toPersons: (query, _, { index = 0 }) => ({
    words: ['Visitors', ...(index === 1 ? ['previous period'] : [])],
    source: {
      kind: 'InsightActorsQuery',
      source: query,
      ...(index === 1 && { compare: 'previous' }),
    },
    hasEvents: false,
  }),
  /** Only the first figure counts persons. */
  pointAt: (_, row, column) =>
    row === 0 && (column === 1 || column === 2) ? { series: 0, index: column - 1 } : undefined,
}
