import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Annotation, AnnotationWrite } from '#server/features/dashboards/annotations/schema.ts'
import { annotationsPath, annotationsQuery } from '../../api/annotations.ts'
import { api } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'

/** Creates an annotation, or updates the one with this ID. */
export function useSaveAnnotation() {
  const projectId = useProjectId()
  const client = useQueryClient()
  const path = annotationsPath(projectId)
  return useMutation({
    mutationFn: ({ id, ...body }: AnnotationWrite & { readonly id?: number }) =>
      id === undefined
        ? api.post<Annotation>(path, body)
        : api.patch<Annotation>(`${path}/${id}`, body),
    onSuccess: () => client.invalidateQueries({ queryKey: annotationsQuery(projectId).queryKey }),
    meta: { showsError: true },
  })
}
