import { useMutation, useQuery } from '@tanstack/react-query'
import type { Backfill, BackfillCreate } from '#server/features/import-apps/backfills/schema.ts'
import { api, type ListPage } from '../../../api/client.ts'
import { useProjectId } from '../../../api/project.ts'
import { BUSY_MS, configKey, configPath, IDLE_MS } from '../keys.ts'

export type BackfillAction = 'pause' | 'resume' | 'cancel'

const BACKFILLS_SHOWN = 25

export function useBackfills(id: number) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: [...configKey(projectId, id), 'backfills'],
    queryFn: () =>
      api.get<ListPage<Backfill>>(`${configPath(projectId, id)}/backfills`, {
        limit: BACKFILLS_SHOWN,
      }),
    refetchInterval: ({ state }) =>
      state.data?.results.some((one) => one.state === 'running') ? BUSY_MS : IDLE_MS,
  })
}

export function useStartBackfill(id: number) {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (create: BackfillCreate) =>
      api.post<Backfill>(`${configPath(projectId, id)}/backfill`, create),
    meta: { stale: [configKey(projectId, id)], showsError: true },
  })
}

export function useBackfillAction({ config_id, id }: Backfill) {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (action: BackfillAction) =>
      api.post<Backfill>(`${configPath(projectId, config_id)}/backfills/${id}/${action}`),
    meta: { stale: [configKey(projectId, config_id)] },
  })
}
