import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Project } from '#server/features/accounts/projects/schema.ts'
import { projectsQuery } from './session.ts'

/** Reads the project ID from the URL. */
export function useProjectId(): number {
  const { projectId } = useParams({ strict: false })
  return Number(projectId)
}

export function useProject(): Project | undefined {
  const id = useProjectId()
  return useSuspenseQuery(projectsQuery).data.results.find((project) => project.id === id)
}

/** Tells whether the user may only view the project. */
export const useIsViewer = (): boolean => useProject()?.user_access_level === 'viewer'

/** Tells whether the user may export dashboards and insights. */
export function useCanExport(): boolean {
  const project = useProject()
  return project?.user_access_level !== 'viewer' || project.viewers_can_export
}
