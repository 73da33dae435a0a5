import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Level } from '#model/levels.ts'
import type {
  Collaborator,
  CollaboratorCreate,
} from '#server/features/dashboards/collaborators/schema.ts'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import type { Sharing } from '#server/features/dashboards/sharing/schema.ts'
import type { User } from '#server/features/people/users/schema.ts'
import { ApiError, api, type Page } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'

export interface Member {
  readonly user: Pick<User, 'id' | 'uuid' | 'first_name' | 'last_name' | 'email'>
  /** In the organisation. */
  readonly level: number
}

/** The queries of the dashboard's own page begin with this, too. */
const keyOf = (projectId: number, id: number) => ['dashboard', projectId, id] as const

const pathOf = (projectId: number, id: number, rest = ''): string =>
  `/api/environments/${projectId}/dashboards/${id}${rest}`

/** Its name and who may do what with it, without computing any numbers. */
export const rightsQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: [...keyOf(projectId, id), 'rights'],
    queryFn: () => api.get<Dashboard>(pathOf(projectId, id), { refresh: 'force_cache' }),
  })

export const sharingQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: [...keyOf(projectId, id), 'sharing'],
    queryFn: () => api.get<Sharing>(pathOf(projectId, id, '/sharing')),
  })

export const collaboratorsQuery = (projectId: number, id: number) =>
  queryOptions({
    queryKey: [...keyOf(projectId, id), 'collaborators'],
    queryFn: () => api.get<Collaborator[]>(pathOf(projectId, id, '/collaborators')),
  })

/** null: this server, or this person, cannot list them. */
export const membersQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['project-members', projectId],
    queryFn: async (): Promise<readonly Member[] | null> => {
      try {
        const path = `/api/projects/${projectId}/members`
        return (await api.get<Page<Member>>(path, { limit: 1000 })).results
      } catch (error) {
        if (error instanceof ApiError && [403, 404].includes(error.status)) return null
        throw error
      }
    },
    staleTime: 60_000,
  })

/** What is changed here shows on the dashboard's page and in the list of dashboards. */
function useChange<Sent, Answer>(
  dashboardId: number,
  send: (path: string, sent: Sent) => Promise<Answer>,
  meta = {},
) {
  const client = useQueryClient()
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (sent: Sent) => send(pathOf(projectId, dashboardId), sent),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keyOf(projectId, dashboardId) }),
        client.invalidateQueries({ queryKey: ['dashboards'] }),
      ]),
    meta,
  })
}

export const useSwitchSharing = (dashboardId: number) =>
  useChange(dashboardId, (path, enabled: boolean) =>
    api.patch<Sharing>(`${path}/sharing`, { enabled }),
  )

export const useNewLink = (dashboardId: number) =>
  useChange<void, Sharing>(dashboardId, (path) => api.post<Sharing>(`${path}/sharing/refresh`))

export const useRestrict = (dashboardId: number) =>
  useChange(dashboardId, (path, restriction_level: Level) =>
    api.patch<Dashboard>(path, { restriction_level }),
  )

export const useInvite = (dashboardId: number) =>
  useChange(
    dashboardId,
    (path, sent: CollaboratorCreate) => api.post<Collaborator>(`${path}/collaborators`, sent),
    { showsError: true },
  )

export const useUninvite = (dashboardId: number) =>
  useChange(dashboardId, (path, uuid: string) => api.delete(`${path}/collaborators/${uuid}`))

/** An invitation has no change of its own: it is taken back and given anew. */
export const useChangeLevel = (dashboardId: number) =>
  useChange(dashboardId, async (path, { user_uuid, level }: CollaboratorCreate) => {
    await api.delete(`${path}/collaborators/${user_uuid}`)
    return api.post<Collaborator>(`${path}/collaborators`, { user_uuid, level })
  })
