import { useMutation, useQuery } from '@tanstack/react-query'
import type {
  CreatedPasskey,
  PasskeyList,
  PasskeyProof,
} from '#server/features/accounts/passkeys/schema.ts'
import { api } from '../../../../api/client.ts'
import { createCredential } from '../../../../api/passkey.ts'

const PATH = '/api/users/@me/passkeys'
const stale = [['passkeys'], ['second-factor'], ['sessions'], ['me']]

export const usePasskeys = () =>
  useQuery({ queryKey: ['passkeys'], queryFn: () => api.get<PasskeyList>(PATH) })

export interface NewPasskey extends PasskeyProof {
  readonly name: string
}

async function createPasskey({ name, ...proof }: NewPasskey): Promise<CreatedPasskey> {
  const options = await api.post<{ challenge: string }>(`${PATH}/options`, proof)
  return api.post<CreatedPasskey>(PATH, { name, credential: await createCredential(options) })
}

export const useCreatePasskey = () =>
  useMutation({ mutationFn: createPasskey, meta: { showsError: true, stale } })

/** Also ends all other sessions. */
export const useRemovePasskey = (id: string) =>
  useMutation({
    mutationFn: (proof: PasskeyProof) => api.post(`${PATH}/${id}/remove`, proof),
    meta: { showsError: true, stale },
  })
