import { useMutation, useQuery } from '@tanstack/react-query'
import type { Annotation, AnnotationWrite } from '#server/features/dashboards/annotations/schema.ts'
import { api, type ListPage } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'

const annotationsPath = (projectId: number): string => `/api/projects/${projectId}/annotations`

/** Has the key of `useMarkedChart`, which is in the file of the charts, to share its data. */
const toQueryKey = (projectId: number) => ['annotations', projectId]

/** Reads the annotations of the project, the latest moment first. */
export function useAnnotations() {
  const projectId = useProjectId()
  return useQuery({
    queryKey: toQueryKey(projectId),
    queryFn: () => api.get<ListPage<Annotation>>(annotationsPath(projectId), { limit: 1000 }),
  })
}

/** Creates an annotation, or updates the one with this ID. */
export function useSaveAnnotation() {
  const projectId = useProjectId()
  const path = annotationsPath(projectId)
  return useMutation({
    mutationFn: ({ id, ...body }: AnnotationWrite & { readonly id?: number }) =>
      id === undefined
        ? api.post<Annotation>(path, body)
        : api.patch<Annotation>(`${path}/${id}`, body),
    meta: { showsError: true, stale: [toQueryKey(projectId)] },
  })
}
