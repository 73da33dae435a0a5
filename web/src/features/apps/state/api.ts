import { useMutation, useQuery } from '@tanstack/react-query'
import type { ImportState, ImportStatePut } from '#server/features/import-apps/state/schema.ts'
import { api, withQuery } from '../../../api/client.ts'
import { useProjectId } from '../../../api/project.ts'
import { configKey, configPath } from '../keys.ts'

const stateKey = (projectId: number, id: number) => [...configKey(projectId, id), 'state']

export function useImportState(id: number) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: stateKey(projectId, id),
    queryFn: () => api.get<ImportState>(`${configPath(projectId, id)}/state`),
  })
}

export function usePutState(id: number) {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (state: ImportStatePut) =>
      api.put<ImportState>(`${configPath(projectId, id)}/state`, state),
    meta: { stale: [configKey(projectId, id)], showsError: true },
  })
}

export function useDeleteState(id: number) {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (version: number) =>
      api.delete(withQuery(`${configPath(projectId, id)}/state`, { version })),
    meta: { stale: [configKey(projectId, id)], showsError: true },
  })
}
