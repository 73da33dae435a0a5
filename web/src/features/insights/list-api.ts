import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { DashboardListItem } from '#server/features/dashboards/dashboards/schema.ts'
import type { Insight, InsightWrite } from '#server/features/dashboards/insights/schema.ts'
import type { UsedTag } from '#server/features/dashboards/tag-store.ts'
import { api, type ListPage } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { useMe } from '../../api/session.ts'
import { type Pages, refreshLists, removeItem, replaceItem } from '../../ui/list/pages.ts'
import { usePages } from '../../ui/list/use-pages.ts'
import type { InsightListSearch } from './search.ts'

export type InsightItem = Static<typeof Insight>

const insightsPath = (projectId: number, rest = '') =>
  `/api/environments/${projectId}/insights${rest}`
const insightsKey = (projectId: number) => ['insights', projectId, 'list'] as const

/** Lists insights without their results. */
export function useInsights(search: InsightListSearch) {
  const projectId = useProjectId()
  const me = useMe()
  return usePages<InsightItem>([...insightsKey(projectId), search], insightsPath(projectId), {
    ...toQuery(search, me.uuid),
    basic: true,
  })
}

const toQuery = ({ search, tags, view, sort }: InsightListSearch, myUuid: string) => ({
  search,
  tags,
  deleted: view === 'trash' || undefined,
  favorited: view === 'favorites' || undefined,
  created_by: view === 'mine' ? myUuid : undefined,
  order: sort,
})

export function useInsightTags() {
  const projectId = useProjectId()
  return useQuery({
    queryKey: ['insight-tags', projectId],
    queryFn: () => api.get<UsedTag[]>(insightsPath(projectId, '/tags')),
  })
}

/** More ids would make a URL that servers reject. */
const MAX_IDS = 300

type NamedDashboards = ListPage<DashboardListItem>

/** Fetches the names of the insights' dashboards, page by page. */
export function useDashboardNames(pages: Pages<InsightItem>): ReadonlyMap<number, string> {
  const projectId = useProjectId()
  return useQueries({
    queries: pages.pages.flatMap(toIdChunks).map((ids) => ({
      queryKey: ['dashboard-names', projectId, ids],
      queryFn: () =>
        api.get<NamedDashboards>(`/api/environments/${projectId}/dashboards`, {
          id: ids,
          limit: MAX_IDS,
        }),
    })),
    combine: toNames,
  })
}

function toIdChunks({ results }: ListPage<InsightItem>): number[][] {
  const ids = [...new Set(results.flatMap(({ dashboards }) => dashboards))].sort((a, b) => a - b)
  const parts = Math.ceil(ids.length / MAX_IDS)
  return Array.from({ length: parts }, (_, n) => ids.slice(n * MAX_IDS, (n + 1) * MAX_IDS))
}

const toNames = (
  queries: readonly { readonly data: NamedDashboards | undefined }[],
): ReadonlyMap<number, string> =>
  new Map(queries.flatMap(({ data }) => data?.results ?? []).map(({ id, name }) => [id, name]))

interface Change {
  readonly id: number
  readonly change: InsightWrite
}

export function useUpdateInsight({ showsError = false } = {}) {
  const client = useQueryClient()
  const projectId = useProjectId()
  return useMutation({
    mutationFn: ({ id, change }: Change) =>
      api.patch<InsightItem>(insightsPath(projectId, `/${id}`), change),
    onSuccess: (changed, { change }) => {
      const key = insightsKey(projectId)
      if (change.deleted === undefined) replaceItem<InsightItem>(client, key, changed.id, changed)
      else removeItem(client, key, changed.id)
      void refreshLists(client, key)
      void client.invalidateQueries({ queryKey: ['insight-tags', projectId] })
      void client.invalidateQueries({ queryKey: ['insight'] })
    },
    meta: { showsError },
  })
}

export function useDuplicateInsight() {
  const client = useQueryClient()
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (id: number) => api.post<InsightItem>(insightsPath(projectId, `/${id}/duplicate`)),
    onSuccess: () => refreshLists(client, insightsKey(projectId)),
  })
}
