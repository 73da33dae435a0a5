import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { Interval } from '#model/query-kinds/common.schema.ts'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { api } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { createImportDashboard } from '../apps/dashboard/api.ts'
import { allKeys, configPath, configsPath } from '../apps/keys.ts'
import type { ListedEvent } from '../events/api.ts'

interface Span {
  readonly maxAgeMs: number
  readonly title: string
  readonly date_from: string
  readonly interval: Interval
}

const HOUR_MS = 3_600_000

/** Live events are counted by the minute; imported ones may be years old. */
const SPANS: readonly [...Span[], Span] = [
  { maxAgeMs: HOUR_MS, title: 'Events per minute', date_from: '-1h', interval: 'minute' },
  { maxAgeMs: 24 * HOUR_MS, title: 'Events per hour', date_from: '-24h', interval: 'hour' },
  { maxAgeMs: Infinity, title: 'Events per week', date_from: 'all', interval: 'week' },
]

function toSpan(newest: ListedEvent): Span {
  const age = Date.now() - Date.parse(newest.timestamp)
  return SPANS.find(({ maxAgeMs }) => age <= maxAgeMs) ?? SPANS[0]
}

const toQuery = ({ date_from, interval }: Span) => ({
  kind: 'InsightVizNode',
  source: {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: null, name: 'All events' }],
    dateRange: { date_from },
    interval,
    trendsFilter: { display: 'ActionsBar' },
  },
})

export interface EventCounts {
  readonly title: string
  readonly query: object
  readonly results: unknown
}

/** Counts the project's events up to now, over a time that contains the newest one. */
export function useEventCounts(newest: ListedEvent) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: ['event-counts', projectId, newest.id],
    queryFn: async (): Promise<EventCounts> => {
      const span = toSpan(newest)
      const query = toQuery(span)
      const body = { query, refresh: 'blocking' }
      const { results } = await api.post<{ results: unknown }>(
        `/api/projects/${projectId}/query`,
        body,
      )
      return { title: span.title, query, results }
    },
    placeholderData: keepPreviousData,
  })
}

interface PublicImport {
  readonly plugin: number
  readonly settings: Readonly<Record<string, string>>
}

/** Adds an app, starts its import and creates its dashboard, which fills as the events arrive. */
export function useImportPublicData() {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: async ({ plugin, settings }: PublicImport) => {
      const sent = { plugin, enabled: true, config: settings }
      const { id } = await api.post<PipelineConfig>(configsPath(projectId), sent)
      await api.post(`${configPath(projectId, id)}/job`, {})
      return createImportDashboard(projectId, id)
    },
    meta: { stale: [...allKeys(projectId), ['dashboards', projectId]] },
  })
}
