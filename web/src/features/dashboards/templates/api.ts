import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  DashboardTemplate,
  TemplateCreate,
  TemplatePatch,
} from '#server/features/dashboards/templates/schema.ts'
import { api, type Page } from '../../../api/client.ts'
import { useProjectId } from '../../../api/project.ts'

const pathOf = (projectId: number) => `/api/projects/${projectId}/dashboard_templates`
const keyOf = (projectId: number) => ['dashboard-templates', projectId] as const

export function useTemplates(search: string | undefined) {
  const projectId = useProjectId()
  return useQuery({
    queryKey: [...keyOf(projectId), search],
    queryFn: () => api.get<Page<DashboardTemplate>>(pathOf(projectId), { search, limit: 1000 }),
    placeholderData: (before) => before,
  })
}

export function useCreateTemplate() {
  const client = useQueryClient()
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (sent: TemplateCreate) => api.post<DashboardTemplate>(pathOf(projectId), sent),
    onSuccess: () => client.invalidateQueries({ queryKey: keyOf(projectId) }),
    meta: { showsError: true },
  })
}

export function useChangeTemplate() {
  const client = useQueryClient()
  const projectId = useProjectId()
  return useMutation({
    mutationFn: ({ id, change }: { id: string; change: TemplatePatch }) =>
      api.patch<DashboardTemplate>(`${pathOf(projectId)}/${id}`, change),
    onSuccess: () => client.invalidateQueries({ queryKey: keyOf(projectId) }),
  })
}
