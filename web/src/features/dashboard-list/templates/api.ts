import { useMutation, useQuery } from '@tanstack/react-query'
import type {
  DashboardTemplate,
  TemplateCreate,
  TemplatePatch,
} from '#server/features/dashboards/templates/schema.ts'
import { api, type ListPage } from '../../../api/client.ts'
import { useProjectId } from '../../../api/project.ts'

const templatesPath = (projectId: number) => `/api/projects/${projectId}/dashboard_templates`
const templatesKey = (projectId: number) => ['dashboard-templates', projectId] as const

export function useTemplates(search: string | undefined) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: [...templatesKey(projectId), search],
    queryFn: () =>
      api.get<ListPage<DashboardTemplate>>(templatesPath(projectId), { search, limit: 1000 }),
    placeholderData: (before) => before,
  })
}

export function useCreateTemplate() {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (sent: TemplateCreate) =>
      api.post<DashboardTemplate>(templatesPath(projectId), sent),
    meta: { showsError: true, stale: [templatesKey(projectId)] },
  })
}

export function useUpdateTemplate() {
  const projectId = useProjectId()
  return useMutation({
    mutationFn: ({ id, change }: { id: string; change: TemplatePatch }) =>
      api.patch<DashboardTemplate>(`${templatesPath(projectId)}/${id}`, change),
    meta: { stale: [templatesKey(projectId)] },
  })
}
