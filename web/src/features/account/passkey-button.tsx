import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { getCredential, knowsPasskeys } from '../../api/passkey.ts'
import { FormError } from '../../ui/form/form-error.tsx'

const PATH = '/api/sign_in/passkey'

async function signInWithPasskey(): Promise<void> {
  const options = await api.post<{ challenge: string }>(`${PATH}/options`, {})
  await api.post(PATH, { credential: await getCredential(options) })
}

/** Signs in without a password. The browser shows which passkeys there are. */
export function PasskeyButton({ next }: { readonly next: string }) {
  const signIn = useMutation({ mutationFn: signInWithPasskey, meta: { showsError: true } })
  if (!knowsPasskeys()) return null
  return (
    <>
      <FormError error={signIn.error} title="Can't sign in" />
      <Button
        variant="default"
        fullWidth
        // keeps loading until the next page is there
        loading={signIn.isPending || signIn.isSuccess}
        onClick={() => signIn.mutate(undefined, { onSuccess: () => location.assign(next) })}
      >
        Sign in with a passkey
      </Button>
    </>
  )
}
