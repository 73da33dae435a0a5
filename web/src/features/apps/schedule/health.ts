import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ImportHealth } from '#server/features/import-apps/health/schema.ts'
import { api, type ListPage } from '../../../api/client.ts'
import { useIsViewer, useProjectId } from '../../../api/project.ts'
import { IDLE_MS, listKey } from '../keys.ts'

const healthQuery = (projectId: number) =>
  queryOptions({
    queryKey: [...listKey(projectId), 'health'],
    queryFn: () =>
      api.get<ListPage<ImportHealth>>(`/api/projects/${projectId}/import_health`, { limit: 1000 }),
    refetchInterval: IDLE_MS,
  })

/** Reads how an import is doing. The imports of a list share one request. */
export function useHealth(configId: number): ImportHealth | undefined {
  const { data } = useQuery(healthQuery(useProjectId()))
  return data?.results.find(({ config_id }) => config_id === configId)
}

/** Lists the imports that fail or are late. */
export function useBrokenImports(): readonly ImportHealth[] {
  const { data } = useQuery({ ...healthQuery(useProjectId()), enabled: !useIsViewer() })
  return data?.results.filter(({ state }) => state === 'failing' || state === 'stale') ?? []
}
