import { queryOptions, useMutation } from '@tanstack/react-query'
import type {
  PasswordReset,
  SetUp,
  SignIn,
  WaysIn,
} from '#server/features/people/sessions/schema.ts'
import { api } from '../../api/client.ts'

export const waysInQuery = queryOptions({
  queryKey: ['ways-in'],
  queryFn: () => api.get<WaysIn>('/api/sign_in'),
})

const shown = { meta: { showsError: true } }

export const useSignIn = () =>
  useMutation({ ...shown, mutationFn: (sent: SignIn) => api.post('/api/sign_in', sent) })

export const useSetUp = (token: string) =>
  useMutation({
    ...shown,
    mutationFn: (sent: Omit<SetUp, 'token'>) => api.post('/api/set_up', { ...sent, token }),
  })

export interface InvitePreview {
  readonly organization: string
  /** null if anyone with the link can join. */
  readonly email: string | null
  readonly level: number
}

export const inviteQuery = (token: string) =>
  queryOptions({
    queryKey: ['invite', token],
    queryFn: () => api.get<InvitePreview>(`/api/invites/${encodeURIComponent(token)}`),
    retry: false,
  })

export const useAcceptInvite = (token: string) =>
  useMutation({
    ...shown,
    mutationFn: (sent: SignIn & { first_name: string }) =>
      api.post(`/api/invites/${encodeURIComponent(token)}`, sent),
  })

export const useResetPassword = (token: string) =>
  useMutation({
    ...shown,
    mutationFn: (sent: Omit<PasswordReset, 'token'>) =>
      api.post('/api/reset_password', { ...sent, token }),
  })
