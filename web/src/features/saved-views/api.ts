import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SavedView, SavedViewCreate } from '#server/features/dashboards/saved-views/schema.ts'
import { api, type ListPage } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'

export type { SavedView }

/** The list of events, or a dashboard. */
export type ViewPlace = Pick<SavedViewCreate, 'page' | 'dashboard_id'>

const toPath = (projectId: number): string => `/api/projects/${projectId}/saved_views`

const viewsQuery = (projectId: number, place: ViewPlace) =>
  queryOptions({
    queryKey: ['saved-views', projectId, place],
    queryFn: async () => (await api.get<ListPage<SavedView>>(toPath(projectId), place)).results,
  })

export const useSavedViews = (place: ViewPlace) => useQuery(viewsQuery(useProjectId(), place))

export function useCreateView(place: ViewPlace) {
  const refresh = useRefresh(place)
  const path = toPath(useProjectId())
  return useMutation({
    mutationFn: (view: Pick<SavedViewCreate, 'name' | 'filters'>) =>
      api.post<SavedView>(path, { ...place, ...view }),
    onSuccess: refresh,
    meta: { showsError: true },
  })
}

export function useDeleteView(place: ViewPlace) {
  const refresh = useRefresh(place)
  const path = toPath(useProjectId())
  return useMutation({
    mutationFn: ({ id }: SavedView) => api.delete(`${path}/${id}`),
    onSuccess: refresh,
  })
}

function useRefresh(place: ViewPlace) {
  const client = useQueryClient()
  const { queryKey } = viewsQuery(useProjectId(), place)
  return () => client.invalidateQueries({ queryKey })
}
