import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { MePatch, PasswordChange } from '#server/features/accounts/account/schema.ts'
import type { Me } from '#server/features/accounts/projects/schema.ts'
import type { Session } from '#server/features/accounts/sessions/schema.ts'
import { api, type ListPage } from '../../../api/client.ts'
import { meQuery } from '../../../api/session.ts'

const ME = '/api/users/@me'
const SESSIONS = `${ME}/sessions`

export function usePatchMe() {
  return useMutation({
    mutationFn: (patch: MePatch) => api.patch<Me>(ME, patch),
    meta: { showsError: true, stale: [meQuery.queryKey] },
  })
}

/** Also ends all other sessions. */
export function useChangePassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (sent: PasswordChange) => api.post(`${ME}/password`, sent),
    meta: { showsError: true },
    onSuccess: () => client.invalidateQueries(),
  })
}

export const useSessions = () =>
  useQuery({
    queryKey: ['sessions'],
    queryFn: () => api.get<ListPage<Session>>(SESSIONS, { limit: 1000 }),
  })

export function useEndSession() {
  return useMutation({
    mutationFn: (id: string) => api.delete(`${SESSIONS}/${id}`),
    meta: { stale: [['sessions']] },
  })
}
