import { queryOptions, useMutation } from '@tanstack/react-query'
import type {
  PasswordReset,
  SecondStep,
  SignIn,
  SignInMethods,
} from '#server/features/accounts/sessions/schema.ts'
import { api, withQuery } from '../../api/client.ts'
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

/** Empty if the user is signed in, otherwise the second step. */
export type FirstStep = SecondStep | ''

export const useSignIn = () =>
  useMutation({ ...shown, mutationFn: (sent: SignIn) => api.post<FirstStep>('/api/sign_in', sent) })

export const usePassSecondStep = () =>
  useMutation({
    ...shown,
    mutationFn: (sent: { readonly code: string }) => api.post('/api/sign_in/second_step', sent),
  })

/** Opens a page after a form that signs in, or asks for the second factor first. */
export const openPageOrSecondStep = (step: FirstStep, page: string): void =>
  location.assign(step ? withQuery('/sign-in', { step: 'code', next: page }) : page)

export const useSetUp = (token: string) =>
  useMutation({
    ...shown,
    mutationFn: async (sent: NewAccount) => {
      const step = await api.post<FirstStep>('/api/set_up', { ...toAccount(sent), token })
      // days begin when they do where the owner is; a zone that the server does not know leaves them in UTC
      await api.patch('/api/projects/@current', { timezone: browserZone() }).catch(() => {})
      return step
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
      api.post<FirstStep>('/api/reset_password', { ...sent, token }),
  })
