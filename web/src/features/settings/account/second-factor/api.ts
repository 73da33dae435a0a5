import { useMutation, useQuery } from '@tanstack/react-query'
import type {
  RecoveryCodes,
  SecondFactor,
  SecondFactorKey,
  SecondFactorProof,
  SecondFactorStart,
} from '#server/features/accounts/account/second-factor-schema.ts'
import { api } from '../../../../api/client.ts'

const PATH = '/api/users/@me/second_factor'
const stale = [['second-factor'], ['sessions'], ['me']]

export const useSecondFactor = () =>
  useQuery({ queryKey: ['second-factor'], queryFn: () => api.get<SecondFactor>(PATH) })

export const useStartSecondFactor = () =>
  useMutation({
    mutationFn: (sent: SecondFactorStart) => api.post<SecondFactorKey>(PATH, sent),
    meta: { showsError: true },
  })

export const useConfirmSecondFactor = () =>
  useMutation({
    mutationFn: (sent: { readonly code: string }) =>
      api.post<RecoveryCodes>(`${PATH}/confirm`, sent),
    meta: { showsError: true, stale },
  })

export const useReplaceRecoveryCodes = () =>
  useMutation({
    mutationFn: (sent: SecondFactorProof) =>
      api.post<RecoveryCodes>(`${PATH}/recovery_codes`, sent),
    meta: { showsError: true, stale },
  })

/** Also ends all other sessions. */
export const useRemoveSecondFactor = () =>
  useMutation({
    mutationFn: (sent: SecondFactorProof) => api.post(`${PATH}/remove`, sent),
    meta: { showsError: true, stale },
  })
