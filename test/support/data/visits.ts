import type { TestApp } from '../app/app.ts'
import { toEvent } from './queries.ts'

export const QUERY = 'query'

const DAY_MS = 86_400_000
export const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString()

/** Adds one visit each of `count` people, some days ago. */
export const addVisits = (
  { services, projectId }: TestApp,
  count: number,
  { days = 1, project = projectId, properties = {} } = {},
): Promise<unknown> =>
  services.events.append(
    project,
    Array.from({ length: count }, (_, n) =>
      toEvent({ event: 'visit', person: `p${n}`, at: daysAgo(days), properties }),
    ),
  )

/** Counts the visits, as one value. */
export const visits = (more: object = {}) => ({
  kind: 'InsightVizNode',
  source: {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'visit' }],
    dateRange: { date_from: '-7d' },
    trendsFilter: { display: 'BoldNumber' },
    ...more,
  },
})

// biome-ignore lint/suspicious/noExplicitAny: the test knows the type of the response
export const numberOf = (result: any): number | undefined => result?.[0]?.aggregated_value
