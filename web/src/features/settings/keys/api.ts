import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  PersonalApiKey,
  PersonalApiKeyCreate,
  PersonalApiKeyPatch,
} from '#server/features/accounts/api-keys/schema.ts'
import { api } from '../../../api/client.ts'

const KEYS = '/api/personal_api_keys'

export const useKeys = () =>
  useQuery({ queryKey: ['keys'], queryFn: () => api.get<PersonalApiKey[]>(KEYS) })

function useInvalidateKeys() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ['keys'] })
}

export function useCreateKey() {
  const onSuccess = useInvalidateKeys()
  return useMutation({
    mutationFn: (sent: PersonalApiKeyCreate) => api.post<PersonalApiKey>(KEYS, sent),
    meta: { showsError: true },
    onSuccess,
  })
}

export function usePatchKey() {
  const onSuccess = useInvalidateKeys()
  return useMutation({
    mutationFn: ({ id, patch }: { id: string; patch: PersonalApiKeyPatch }) =>
      api.patch<PersonalApiKey>(`${KEYS}/${id}`, patch),
    meta: { showsError: true },
    onSuccess,
  })
}

export function useRollKey() {
  const onSuccess = useInvalidateKeys()
  return useMutation({
    mutationFn: (id: string) => api.post<PersonalApiKey>(`${KEYS}/${id}/roll`),
    onSuccess,
  })
}

export function useRevokeKey() {
  const onSuccess = useInvalidateKeys()
  return useMutation({ mutationFn: (id: string) => api.delete(`${KEYS}/${id}`), onSuccess })
}
