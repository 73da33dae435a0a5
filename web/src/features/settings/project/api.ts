import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Project, ProjectPatch } from '#server/features/accounts/projects/schema.ts'
import { api, withQuery } from '../../../api/client.ts'

/** Invalidates the projects and the signed-in user. */
function useInvalidateProjects() {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ['projects'] }),
      client.invalidateQueries({ queryKey: ['me'] }),
    ])
}

export function usePatchProject(id: number) {
  const onSuccess = useInvalidateProjects()
  return useMutation({
    mutationFn: (patch: ProjectPatch) => api.patch<Project>(`/api/projects/${id}`, patch),
    meta: { showsError: true },
    onSuccess,
  })
}

export function useRotateToken(id: number) {
  const onSuccess = useInvalidateProjects()
  return useMutation({
    mutationFn: () => api.post<Project>(`/api/projects/${id}/rotate_token`),
    onSuccess,
  })
}

export function useCreateProject() {
  const onSuccess = useInvalidateProjects()
  return useMutation({
    mutationFn: (sent: { name: string; timezone: string }) =>
      api.post<Project>('/api/projects', sent),
    meta: { showsError: true },
    onSuccess,
  })
}

export const useDeleteProject = () =>
  useMutation({
    mutationFn: ({ id, confirm }: { id: number; confirm: string }) =>
      api.delete(withQuery(`/api/projects/${id}`, { confirm })),
    meta: { showsError: true },
    // a full page load drops all state of the deleted project
    onSuccess: () => location.assign('/'),
  })
