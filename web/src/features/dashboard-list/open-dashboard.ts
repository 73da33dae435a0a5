import { useNavigate } from '@tanstack/react-router'
import { useProjectId } from '../../api/project.ts'

export function useOpenDashboard() {
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  return ({ id }: { readonly id: number }): void =>
    void navigate({
      to: '/project/$projectId/dashboards/$dashboardId',
      params: { projectId, dashboardId: `${id}` },
    })
}
