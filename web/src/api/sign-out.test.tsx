import { screen, waitFor } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createQueryClient } from '../query-client.ts'
import { renderInApp } from '../test/render.tsx'
import { ApiError } from './client.ts'

async function load() {
  vi.resetModules() // "signing out" lasts until the page is reloaded
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  onTestFinished(() => assign.mockRestore())
  return { assign, ...(await import('./sign-out.ts')) }
}

function SignOutButton({
  useSignOut,
}: {
  readonly useSignOut: () => { mutate(input: unknown): void }
}) {
  const signOut = useSignOut()
  return (
    <button type="button" onClick={() => signOut.mutate(undefined)}>
      Sign out
    </button>
  )
}

it('opens the sign-in page and returns to the current page', async () => {
  const { assign, redirectToSignIn } = await load()
  history.replaceState(null, '', '/project/1/events?event=x')

  redirectToSignIn()

  expect(assign).toHaveBeenCalledWith('/sign-in?next=%2Fproject%2F1%2Fevents%3Fevent%3Dx')
})

it('stays on the sign-in page after signing out, even if pending requests get a 401', async () => {
  const { assign, redirectToSignIn, useSignOutMutation } = await load()
  const pending = Promise.withResolvers<void>()
  const { user } = await renderInApp(
    <SignOutButton useSignOut={() => useSignOutMutation(() => pending.promise)} />,
  )
  await user.click(await screen.findByRole('button', { name: 'Sign out' }))

  redirectToSignIn()
  expect(assign).not.toHaveBeenCalled()
  pending.resolve()

  await waitFor(() => expect(assign.mock.calls).toEqual([['/sign-in']]))
})

it('opens the sign-in page when a query or mutation finds that the session has ended', async () => {
  const onSignedOut = vi.fn()
  const client = createQueryClient(onSignedOut)
  const refuse = () => Promise.reject(new ApiError(401, { detail: 'Sign in first.' }))

  await client.fetchQuery({ queryKey: ['x'], queryFn: refuse }).catch(() => undefined)
  expect(onSignedOut).toHaveBeenCalledTimes(1)
  const mutation = client.getMutationCache().build(client, { mutationFn: refuse })
  await mutation.execute(undefined).catch(() => undefined)

  expect(onSignedOut.mock.calls).toEqual([['/sign-in'], ['/sign-in']])
})

it('opens the page to set up a second factor when a query finds that it is required', async () => {
  const { assign, redirectToSignIn } = await load()
  history.replaceState(null, '', '/project/1/events')
  const client = createQueryClient(redirectToSignIn)
  const refuse = () => Promise.reject(new ApiError(403, { code: 'second_factor_required' }))

  await client.fetchQuery({ queryKey: ['x'], queryFn: refuse }).catch(() => undefined)

  expect(assign).toHaveBeenCalledWith('/second-factor?next=%2Fproject%2F1%2Fevents')
})
