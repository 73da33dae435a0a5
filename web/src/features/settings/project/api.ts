import { useMutation } from '@tanstack/react-query'
import type { Project, ProjectPatch } from '#server/features/accounts/projects/schema.ts'
import { api, withQuery } from '../../../api/client.ts'

/** The projects and the signed-in user. */
const PROJECTS = [['projects'], ['me']]

export const usePatchProject = (id: number) =>
  useMutation({
    mutationFn: (patch: ProjectPatch) => api.patch<Project>(`/api/projects/${id}`, patch),
    meta: { showsError: true, stale: PROJECTS },
  })

export const useRotateToken = (id: number) =>
  useMutation({
    mutationFn: () => api.post<Project>(`/api/projects/${id}/rotate_token`),
    meta: { stale: PROJECTS },
  })

export const useCreateProject = () =>
  useMutation({
    mutationFn: (sent: { name: string; timezone: string }) =>
      api.post<Project>('/api/projects', sent),
    meta: { showsError: true, stale: PROJECTS },
  })

export const useDeleteProject = () =>
  useMutation({
    mutationFn: ({ id, confirm }: { id: number; confirm: string }) =>
      api.delete(withQuery(`/api/projects/${id}`, { confirm })),
    meta: { showsError: true },
    // a full page load drops all state of the deleted project
    onSuccess: () => location.assign('/'),
  })
