import { useMutation, useQuery } from '@tanstack/react-query'
import type {
  ScheduleSettings,
  ScheduleSettingsPatch,
} from '#server/features/import-apps/schedules/schema.ts'
import { api } from '../../../api/client.ts'
import { useProjectId } from '../../../api/project.ts'
import { allKeys, configKey, configsPath } from '../keys.ts'

const schedulePath = (projectId: number, id: number) => `${configsPath(projectId)}/${id}/schedule`

export function useSchedule(id: number) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: [...configKey(projectId, id), 'schedule'],
    queryFn: () => api.get<ScheduleSettings>(schedulePath(projectId, id)),
  })
}

export function usePatchSchedule(id: number) {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (patch: ScheduleSettingsPatch) =>
      api.patch<ScheduleSettings>(schedulePath(projectId, id), patch),
    meta: { stale: allKeys(projectId), showsError: true },
  })
}
