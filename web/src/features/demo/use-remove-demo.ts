import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'

/** Asks, then removes the demo data with everything it created, and opens the list of dashboards. */
export function useRemoveDemo() {
  const projectId = useProjectId()
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => api.delete(`/api/projects/${projectId}/demo_data`),
    // a full page load drops every cached result
    onSuccess: () => location.assign(`/project/${projectId}/dashboards`),
  })
  const remove = async () => {
    const isSure = await confirm({
      title: 'Remove demo data?',
      message:
        'This deletes the Demo data app, its events, persons and groups, its alert and subscription. Its dashboards, insights, annotation, cohort and action move to the trash.',
      yes: 'Remove demo data',
      isDangerous: true,
    })
    if (isSure) mutate()
  }
  return { remove, isRemoving: isPending || isSuccess }
}
