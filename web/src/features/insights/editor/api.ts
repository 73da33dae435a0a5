import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Static } from 'typebox'
import type {
  Insight as InsightSchema,
  InsightWrite,
} from '#server/features/dashboards/insights/schema.ts'
import type { QueryResponse as QueryResponseSchema } from '#server/features/results/schema.ts'
import { api, type ListPage } from '../../../api/client.ts'
import { useProjectId } from '../../../api/project.ts'

export type Insight = Static<typeof InsightSchema>
export type QueryResponse = Static<typeof QueryResponseSchema>

export const insightsPath = (projectId: number) => `/api/environments/${projectId}/insights`

export const insightQuery = (projectId: number, shortId: string) =>
  queryOptions({
    queryKey: ['insight', projectId, shortId],
    queryFn: () =>
      api.get<Insight>(`${insightsPath(projectId)}/${encodeURIComponent(shortId)}`, {
        refresh: 'force_cache',
      }),
  })

/** Runs an unsaved query. The last result stays until the next one arrives. */
export function useQueryResult(query: object | undefined) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: ['query-result', projectId, query],
    queryFn: () => api.post<QueryResponse>(`/api/projects/${projectId}/query`, { query }),
    enabled: query !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: false,
  })
}

/** Creates the insight if it has no short id yet. Lists and dashboards that show it refetch. */
export function useSaveInsight() {
  const projectId = useProjectId()
  const client = useQueryClient()
  return useMutation({
    meta: { showsError: true },
    mutationFn: ({ shortId, ...sent }: InsightWrite & { readonly shortId?: string | undefined }) =>
      shortId === undefined
        ? api.post<Insight>(insightsPath(projectId), sent)
        : api.patch<Insight>(`${insightsPath(projectId)}/${shortId}`, sent),
    onSuccess: (insight) => {
      client.setQueryData(insightQuery(projectId, insight.short_id).queryKey, insight)
      return client.invalidateQueries({ predicate: ({ queryKey }) => showsInsights(queryKey[0]) })
    },
  })
}

const showsInsights = (name: unknown): boolean =>
  ['insights', 'dashboard', 'dashboards', 'activity'].includes(String(name))

export interface DashboardName {
  readonly id: number
  readonly name: string
}

/** Dashboards that an insight can be added to. */
export function useDashboardChoices() {
  const projectId = useProjectId()
  return useQuery({
    queryKey: ['dashboard-names', projectId],
    queryFn: () =>
      api.get<ListPage<DashboardName>>(`/api/environments/${projectId}/dashboards`, { limit: 500 }),
  })
}

export const exportPath = (projectId: number, shortId: string, format: string): string =>
  `${insightsPath(projectId)}/${shortId}/export.${format}`

export const queryPath = (projectId: number): string => `/api/projects/${projectId}/query`
