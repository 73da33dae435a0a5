import { useMutation, useQuery } from '@tanstack/react-query'
import type { ImportDashboard } from '#server/features/dashboards/import-dashboards/schema.ts'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { api } from '../../../api/client.ts'
import { useProjectId } from '../../../api/project.ts'
import { useCatalog } from '../gallery/api.ts'
import { allKeys, configKey, configPath } from '../keys.ts'

const dashboardPath = (projectId: number, id: number): string =>
  `${configPath(projectId, id)}/dashboard`

/** Finds the dashboard of an import, if its app has a template. */
export function useImportDashboard({ id, plugin }: PipelineConfig): ImportDashboard | undefined {
  const projectId = useProjectId()
  const entry = useCatalog().data?.find((app) => app.plugin === plugin)
  const { data } = useQuery({
    queryKey: [...configKey(projectId, id), 'dashboard'],
    queryFn: () => api.get<ImportDashboard>(dashboardPath(projectId, id)),
    enabled: typeof entry?.template === 'string',
  })
  return data
}

/** Creates the dashboard of an import, or finds the one that the project has. */
export async function createImportDashboard(
  projectId: number,
  id: number,
): Promise<{ readonly id: number }> {
  const { dashboard } = await api.post<ImportDashboard>(dashboardPath(projectId, id), {})
  return { id: dashboard as number }
}

export function useCreateImportDashboard() {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (id: number) => createImportDashboard(projectId, id),
    meta: { stale: [...allKeys(projectId), ['dashboards', projectId]] },
  })
}
