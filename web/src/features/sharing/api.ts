import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Level } from '#model/levels.ts'
import type { SignInMethods } from '#server/features/accounts/sessions/schema.ts'
import type { User } from '#server/features/accounts/users/schema.ts'
import type {
  Collaborator,
  CollaboratorCreate,
} from '#server/features/dashboards/collaborators/schema.ts'
import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import type {
  LinkGuest,
  LinkGuestCreate,
  LinkViews,
  PublicLink,
  PublicLinkWrite,
} from '#server/features/dashboards/links/schema.ts'
import type { Sharing } from '#server/features/dashboards/sharing/schema.ts'
import { ApiError, api, type ListPage } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'

export interface Member {
  readonly user: Pick<User, 'id' | 'uuid' | 'first_name' | 'last_name' | 'email'>
  /** Role in the organization. */
  readonly level: number
}

/** Leads public links to a dashboard or an insight. */
export interface LinkTarget {
  readonly kind: 'dashboard' | 'insight'
  readonly id: number
}

/** Shared with the page of the dashboard, so one invalidation refreshes both. */
const keyOf = (projectId: number, { kind, id }: LinkTarget) => [kind, projectId, id] as const

const pathOf = (projectId: number, { kind, id }: LinkTarget, rest = ''): string =>
  `/api/environments/${projectId}/${kind}s/${id}${rest}`

const toTarget = (id: number): LinkTarget => ({ kind: 'dashboard', id })
const dashboardKey = (projectId: number, id: number) => keyOf(projectId, toTarget(id))
const dashboardPath = (projectId: number, id: number, rest = ''): string =>
  pathOf(projectId, toTarget(id), rest)

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

export const linksQuery = (projectId: number, target: LinkTarget) =>
  queryOptions({
    queryKey: [...keyOf(projectId, target), 'links'],
    queryFn: async () => {
      const path = pathOf(projectId, target, '/sharing/links')
      return (await api.get<ListPage<PublicLink>>(path, { limit: 1000 })).results
    },
  })

/** A link among those of its dashboard or insight. */
export interface LinkPlace {
  readonly target: LinkTarget
  readonly id: number
}

const linkPath = (projectId: number, { target, id }: LinkPlace, rest: string): string =>
  pathOf(projectId, target, `/sharing/links/${id}${rest}`)

/** Whether the server sends mail. Not the query of the sign-in page, whose code would load with every dashboard. */
export const mailQuery = queryOptions({
  queryKey: ['ways-in'],
  queryFn: () => api.get<SignInMethods>('/api/sign_in'),
})

export const guestsQuery = (projectId: number, place: LinkPlace) =>
  queryOptions({
    queryKey: [...keyOf(projectId, place.target), 'links', place.id, 'guests'],
    queryFn: async () => {
      const path = linkPath(projectId, place, '/guests')
      return (await api.get<ListPage<LinkGuest>>(path, { limit: 1000 })).results
    },
  })

export const linkViewsQuery = (projectId: number, place: LinkPlace) =>
  queryOptions({
    queryKey: [...keyOf(projectId, place.target), 'links', place.id, 'views'],
    queryFn: () => api.get<LinkViews>(linkPath(projectId, place, '/views')),
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

/** Refreshes the page and the lists of the dashboard after a change. */
function useUpdate<Input, Result>(
  target: LinkTarget,
  send: (path: string, input: Input) => Promise<Result>,
  meta = {},
) {
  const client = useQueryClient()
  const projectId = useProjectId()
  return useMutation({
    mutationFn: (input: Input) => send(pathOf(projectId, target), input),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keyOf(projectId, target) }),
        client.invalidateQueries({ queryKey: [`${target.kind}s`] }),
      ]),
    meta,
  })
}

export const useToggleSharing = (dashboardId: number) =>
  useUpdate(toTarget(dashboardId), (path, enabled: boolean) =>
    api.patch<Sharing>(`${path}/sharing`, { enabled }),
  )

export const useReplaceLink = (dashboardId: number) =>
  useUpdate<void, Sharing>(toTarget(dashboardId), (path) =>
    api.post<Sharing>(`${path}/sharing/refresh`),
  )

interface SavedLink {
  /** undefined: a new link. */
  readonly id: number | undefined
  readonly body: PublicLinkWrite
}

export const useSaveLink = (target: LinkTarget) =>
  useUpdate(
    target,
    (path, { id, body }: SavedLink) =>
      id === undefined
        ? api.post<PublicLink>(`${path}/sharing/links`, body)
        : api.patch<PublicLink>(`${path}/sharing/links/${id}`, body),
    { showsError: true },
  )

export const useRevokeLink = (target: LinkTarget) =>
  useUpdate(target, (path, id: number) => api.delete(`${path}/sharing/links/${id}`))

export const useInviteGuest = ({ target, id }: LinkPlace) =>
  useUpdate(
    target,
    (path, sent: LinkGuestCreate) =>
      api.post<LinkGuest>(`${path}/sharing/links/${id}/guests`, sent),
    { showsError: true },
  )

export const useRemoveGuest = ({ target, id }: LinkPlace) =>
  useUpdate(target, (path, guestId: number) =>
    api.delete(`${path}/sharing/links/${id}/guests/${guestId}`),
  )

export const useRestrict = (dashboardId: number) =>
  useUpdate(toTarget(dashboardId), (path, restriction_level: Level) =>
    api.patch<Dashboard>(path, { restriction_level }),
  )

export const useInviteCollaborator = (dashboardId: number) =>
  useUpdate(
    toTarget(dashboardId),
    (path, sent: CollaboratorCreate) => api.post<Collaborator>(`${path}/collaborators`, sent),
    { showsError: true },
  )

export const useRemoveCollaborator = (dashboardId: number) =>
  useUpdate(toTarget(dashboardId), (path, uuid: string) =>
    api.delete(`${path}/collaborators/${uuid}`),
  )

/** The API cannot update a collaborator, so this removes and adds it. */
export const useUpdateLevel = (dashboardId: number) =>
  useUpdate(toTarget(dashboardId), async (path, { user_uuid, level }: CollaboratorCreate) => {
    await api.delete(`${path}/collaborators/${user_uuid}`)
    return api.post<Collaborator>(`${path}/collaborators`, { user_uuid, level })
  })
