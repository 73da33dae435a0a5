import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Level } from '#model/levels.ts'
import type { User } from '#server/features/accounts/users/schema.ts'
import type {
  Collaborator,
  CollaboratorCreate,
} from '#server/features/dashboards/collaborators/schema.ts'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import type { PublicLink, PublicLinkWrite } from '#server/features/dashboards/links/schema.ts'
import type { Sharing } from '#server/features/dashboards/sharing/schema.ts'
import { ApiError, api, type ListPage } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'

export interface Member {
  readonly user: Pick<User, 'id' | 'uuid' | 'first_name' | 'last_name' | 'email'>
  /** Role in the organization. */
  readonly level: number
}

/** Shared with the dashboard page, so one invalidation refreshes both. */
const dashboardKey = (projectId: number, id: number) => ['dashboard', projectId, id] as const

const dashboardPath = (projectId: number, id: number, rest = ''): string =>
  `/api/environments/${projectId}/dashboards/${id}${rest}`

/** Reads name and permissions, without computing results. */
export const permissionsQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: [...dashboardKey(projectId, id), 'rights'],
    queryFn: () => api.get<Dashboard>(dashboardPath(projectId, id), { refresh: 'force_cache' }),
  })

export const sharingQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: [...dashboardKey(projectId, id), 'sharing'],
    queryFn: () => api.get<Sharing>(dashboardPath(projectId, id, '/sharing')),
  })

export const linksQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: [...dashboardKey(projectId, id), 'links'],
    queryFn: async () => {
      const path = dashboardPath(projectId, id, '/sharing/links')
      return (await api.get<ListPage<PublicLink>>(path, { limit: 1000 })).results
    },
  })

export const collaboratorsQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: [...dashboardKey(projectId, id), 'collaborators'],
    queryFn: () => api.get<Collaborator[]>(dashboardPath(projectId, id, '/collaborators')),
  })

/** null if the user may not list members. */
export const membersQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['project-members', projectId],
    queryFn: async (): Promise<readonly Member[] | null> => {
      try {
        const path = `/api/projects/${projectId}/members`
        return (await api.get<ListPage<Member>>(path, { limit: 1000 })).results
      } catch (error) {
        if (error instanceof ApiError && [403, 404].includes(error.status)) return null
        throw error
      }
    },
    staleTime: 60_000,
  })

/** Refreshes the dashboard page and the dashboard lists after a change. */
function useUpdate<Input, Result>(
  dashboardId: number,
  send: (path: string, input: Input) => Promise<Result>,
  meta = {},
) {
  const client = useQueryClient()
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (input: Input) => send(dashboardPath(projectId, dashboardId), input),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: dashboardKey(projectId, dashboardId) }),
        client.invalidateQueries({ queryKey: ['dashboards'] }),
      ]),
    meta,
  })
}

export const useToggleSharing = (dashboardId: number) =>
  useUpdate(dashboardId, (path, enabled: boolean) =>
    api.patch<Sharing>(`${path}/sharing`, { enabled }),
  )

export const useReplaceLink = (dashboardId: number) =>
  useUpdate<void, Sharing>(dashboardId, (path) => api.post<Sharing>(`${path}/sharing/refresh`))

interface SavedLink {
  /** undefined: a new link. */
  readonly id: number | undefined
  readonly body: PublicLinkWrite
}

export const useSaveLink = (dashboardId: number) =>
  useUpdate(
    dashboardId,
    (path, { id, body }: SavedLink) =>
      id === undefined
        ? api.post<PublicLink>(`${path}/sharing/links`, body)
        : api.patch<PublicLink>(`${path}/sharing/links/${id}`, body),
    { showsError: true },
  )

export const useRevokeLink = (dashboardId: number) =>
  useUpdate(dashboardId, (path, id: number) => api.delete(`${path}/sharing/links/${id}`))

export const useRestrict = (dashboardId: number) =>
  useUpdate(dashboardId, (path, restriction_level: Level) =>
    api.patch<Dashboard>(path, { restriction_level }),
  )

export const useInviteCollaborator = (dashboardId: number) =>
  useUpdate(
    dashboardId,
    (path, sent: CollaboratorCreate) => api.post<Collaborator>(`${path}/collaborators`, sent),
    { showsError: true },
  )

export const useRemoveCollaborator = (dashboardId: number) =>
  useUpdate(dashboardId, (path, uuid: string) => api.delete(`${path}/collaborators/${uuid}`))

/** The API cannot update a collaborator, so this removes and adds it. */
export const useUpdateLevel = (dashboardId: number) =>
  useUpdate(dashboardId, async (path, { user_uuid, level }: CollaboratorCreate) => {
    await api.delete(`${path}/collaborators/${user_uuid}`)
    return api.post<Collaborator>(`${path}/collaborators`, { user_uuid, level })
  })
