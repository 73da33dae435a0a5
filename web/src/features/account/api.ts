import { queryOptions, useMutation } from '@tanstack/react-query'
import { api } from '../../api/client.ts'

/** What a sign-in page has to know before anybody is signed in. */
export interface WaysIn {
  readonly oidc: { readonly name: string } | null
}

export const waysInQuery = queryOptions({
  queryKey: ['ways-in'],
  queryFn: () => api.get<WaysIn>('/api/sign_in'),
})

export interface Credentials {
  readonly email: string
  readonly password: string
}

const shown = { meta: { showsProblem: true } }

export const useSignIn = () =>
  useMutation({ ...shown, mutationFn: (sent: Credentials) => api.post('/api/sign_in', sent) })

export interface SetUp extends Credentials {
  readonly token: string
  readonly first_name: string
}

export const useSetUp = () =>
  useMutation({ ...shown, mutationFn: (sent: SetUp) => api.post('/api/set_up', sent) })

export interface InviteInfo {
  readonly organization: string
  /** null: whoever has the link. */
  readonly email: string | null
  readonly level: number
}

export const inviteQuery = (token: string) =>
  queryOptions({
    queryKey: ['invite', token],
    queryFn: () => api.get<InviteInfo>(`/api/invites/${encodeURIComponent(token)}`),
    retry: false,
  })

export const useAcceptInvite = (token: string) =>
  useMutation({
    ...shown,
    mutationFn: (sent: Credentials & { first_name: string }) =>
      api.post(`/api/invites/${encodeURIComponent(token)}`, sent),
  })

export const useResetPassword = () =>
  useMutation({
    ...shown,
    mutationFn: (sent: { token: string; password: string }) =>
      api.post('/api/reset_password', sent),
  })
