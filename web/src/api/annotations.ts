import { queryOptions } from '@tanstack/react-query'
import type { Annotation } from '#server/features/dashboards/annotations/schema.ts'
import { api, type ListPage } from './client.ts'

export const annotationsPath = (projectId: number): string =>
  `/api/projects/${projectId}/annotations`

/** The annotations of a project, the latest moment first. */
export const annotationsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['annotations', projectId],
    queryFn: async () =>
      (await api.get<ListPage<Annotation>>(annotationsPath(projectId), { limit: 1000 })).results,
    staleTime: 60_000,
  })
