import { useMutation, useQuery } from '@tanstack/react-query'
import type {
  PersonalApiKey,
  PersonalApiKeyCreate,
  PersonalApiKeyPatch,
} from '#server/features/accounts/api-keys/schema.ts'
import { api } from '../../../api/client.ts'

const KEYS = '/api/personal_api_keys'

export const useKeys = () =>
  useQuery({ queryKey: ['keys'], queryFn: () => api.get<PersonalApiKey[]>(KEYS) })

export const useCreateKey = () =>
  useMutation({
    mutationFn: (sent: PersonalApiKeyCreate) => api.post<PersonalApiKey>(KEYS, sent),
    meta: { showsError: true, stale: [['keys']] },
  })

export const usePatchKey = () =>
  useMutation({
    mutationFn: ({ id, patch }: { id: string; patch: PersonalApiKeyPatch }) =>
      api.patch<PersonalApiKey>(`${KEYS}/${id}`, patch),
    meta: { showsError: true, stale: [['keys']] },
  })

export const useRollKey = () =>
  useMutation({
    mutationFn: (id: string) => api.post<PersonalApiKey>(`${KEYS}/${id}/roll`),
    meta: { stale: [['keys']] },
  })

export const useRevokeKey = () =>
  useMutation({
    mutationFn: (id: string) => api.delete(`${KEYS}/${id}`),
    meta: { stale: [['keys']] },
  })
