import { queryOptions, useMutation } from '@tanstack/react-query'
import type {
  PasswordReset,
  SignIn,
  SignInMethods,
} from '#server/features/accounts/sessions/schema.ts'
import { api } from '../../api/client.ts'
import { browserZone } from '../../ui/page/zone.ts'

export const waysInQuery = queryOptions({
  queryKey: ['ways-in'],
  queryFn: () => api.get<SignInMethods>('/api/sign_in'),
})

const shown = { meta: { showsError: true } }

/** Splits "Nora van Dyk" after the first word, as Settings shows it. */
export function toNames(name: string): { first_name: string; last_name: string } {
  const [first_name = '', ...rest] = name.trim().split(/\s+/)
  return { first_name, last_name: rest.join(' ') }
}

interface NewAccount extends SignIn {
  readonly name: string
}

const toAccount = ({ name, ...sent }: NewAccount) => ({ ...sent, ...toNames(name) })

export const useSignIn = () =>
  useMutation({ ...shown, mutationFn: (sent: SignIn) => api.post('/api/sign_in', sent) })

export const useSetUp = (token: string) =>
  useMutation({
    ...shown,
    mutationFn: async (sent: NewAccount) => {
      await api.post('/api/set_up', { ...toAccount(sent), token })
      // days begin when they do where the owner is; a zone that the server does not know leaves them in UTC
      await api.patch('/api/projects/@current', { timezone: browserZone() }).catch(() => {})
    },
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
    mutationFn: (sent: NewAccount) =>
      api.post(`/api/invites/${encodeURIComponent(token)}`, toAccount(sent)),
  })

export const useMailResetLink = () =>
  useMutation({
    ...shown,
    mutationFn: (sent: { readonly email: string }) => api.post('/api/reset_password/mail', sent),
  })

export const useResetPassword = (token: string) =>
  useMutation({
    ...shown,
    mutationFn: (sent: Omit<PasswordReset, 'token'>) =>
      api.post('/api/reset_password', { ...sent, token }),
  })
