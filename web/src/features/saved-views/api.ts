import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  SavedView,
  SavedViewCreate,
  SavedViewPatch,
} from '#server/features/dashboards/saved-views/schema.ts'
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

export const useSavedViews = (place: ViewPlace, enabled = true) =>
  useQuery({ ...viewsQuery(useProjectId(), place), enabled })

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

/** Renames a view, or replaces its filters. */
export function usePatchView(place: ViewPlace) {
  const refresh = useRefresh(place)
  const path = toPath(useProjectId())
  return useMutation({
    mutationFn: ({ id, ...change }: Pick<SavedView, 'id'> & SavedViewPatch) =>
      api.patch<SavedView>(`${path}/${id}`, change),
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
