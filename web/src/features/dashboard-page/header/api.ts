import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { toCopyName } from '#model/copy-name.ts'
import type { Activity } from '#server/features/activity/schema.ts'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { api, type ListPage } from '../../../api/client.ts'
import { useIsViewer, useProjectId } from '../../../api/project.ts'
import { basePath, dashboardKey, dashboardPath } from '../api.ts'

export function useInsightSearch(search: string) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: ['insights', projectId, 'pick', search],
    queryFn: () =>
      api.get<
        ListPage<{ id: number; name: string; description: string; derived_name: string | null }>
      >(`${basePath(projectId)}/insights`, { search: search || undefined, limit: 20, basic: true }),
    placeholderData: keepPreviousData,
  })
}

export function useDuplicateDashboard() {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: ({ id, name }: Pick<Dashboard, 'id' | 'name'>) =>
      api.post<Dashboard>(`${basePath(projectId)}/dashboards`, {
        name: toCopyName(name),
        use_dashboard: id,
        duplicate_tiles: true,
      }),
    meta: { stale: [['dashboards']] },
  })
}

export function useLatestActivity(id: number) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: [...dashboardKey(projectId, id), 'activity'],
    queryFn: () =>
      api.get<ListPage<Activity>>(`${dashboardPath(projectId, id)}/activity`, { limit: 1 }),
    enabled: !useIsViewer(),
  })
}
