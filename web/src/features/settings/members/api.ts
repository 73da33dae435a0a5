import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ProjectLevel } from '#model/levels.ts'
import type {
  Invite,
  InviteCreate,
  InviteWithLink,
} from '#server/features/accounts/invites/schema.ts'
import type { OrganizationMember } from '#server/features/accounts/members/schema.ts'
import type { Organization, OrganizationPatch } from '#server/features/accounts/projects/schema.ts'
import { api, type ListPage } from '../../../api/client.ts'
import { useSignOutMutation } from '../../../api/sign-out.ts'

const HERE = '/api/organizations/@current'
const MEMBERS = `${HERE}/members`
const INVITES = `${HERE}/invites`

export const useMembers = (search: string) =>
  useQuery({
    queryKey: ['members', search],
    queryFn: () =>
      api.get<ListPage<OrganizationMember>>(MEMBERS, { search: search || undefined, limit: 1000 }),
    placeholderData: keepPreviousData,
  })

/** Only admins can list invites. */
export const useInvites = (isEnabled: boolean) =>
  useQuery({
    queryKey: ['invites'],
    queryFn: () => api.get<ListPage<Invite>>(INVITES, { limit: 1000 }),
    enabled: isEnabled,
  })

function useInvalidate(...keys: string[]) {
  const client = useQueryClient()
  return () => Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] })))
}

export const useInviteMember = () =>
  useMutation({
    mutationFn: (sent: InviteCreate) => api.post<InviteWithLink>(INVITES, sent),
    meta: { showsError: true, stale: [['invites']] },
  })

export const useRevokeInvite = () =>
  useMutation({
    mutationFn: (id: string) => api.delete(`${INVITES}/${id}`),
    meta: { stale: [['invites']] },
  })

export function useChangeLevel() {
  const onSettled = useInvalidate('members', 'me', 'invites')
  return useMutation({
    mutationFn: ({ uuid, level }: { uuid: string; level: number }) =>
      api.patch<OrganizationMember>(`${MEMBERS}/${uuid}`, { level }),
    onSettled,
  })
}

export const useRemoveMember = () =>
  useMutation({
    mutationFn: (uuid: string) => api.delete(`${MEMBERS}/${uuid}`),
    meta: { stale: [['members'], ['invites']] },
  })

/** Leaving also signs the user out. */
export const useLeave = () => useSignOutMutation(() => api.delete(`${MEMBERS}/@me`))

interface Membership {
  readonly projectId: number
  readonly uuid: string
  readonly from: MembershipChoice
  readonly to: MembershipChoice
}

/** A member's level in a project, or none. */
export type MembershipChoice = ProjectLevel | 'none'

export function useChangeMembership() {
  const onSettled = useInvalidate('members', 'me')
  return useMutation({
    mutationFn: ({ projectId, uuid, from, to }: Membership) => {
      const members = `/api/projects/${projectId}/members`
      if (to === 'none') return api.delete(`${members}/${uuid}`)
      return from === 'none'
        ? api.post<unknown>(members, { user_uuid: uuid, access_level: to })
        : api.patch<unknown>(`${members}/${uuid}`, { access_level: to })
    },
    onSettled,
  })
}

export const useSaveSignInRule = () =>
  useMutation({
    mutationFn: (rule: Pick<OrganizationPatch, 'enforce_2fa' | 'second_factor_grace_days'>) =>
      api.patch<Organization>(HERE, rule),
    meta: { showsError: true, stale: [['me'], ['members']] },
  })

export const useRenameOrganization = () =>
  useMutation({
    mutationFn: (name: string) => api.patch<Organization>(HERE, { name }),
    meta: { showsError: true, stale: [['me']] },
  })
