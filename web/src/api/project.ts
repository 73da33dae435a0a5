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
