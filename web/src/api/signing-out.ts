import { useMutation, useQueryClient } from '@tanstack/react-query'

let isSigningOut = false
// a page that the browser kept, and shows again
addEventListener('pageshow', () => {
  isSigningOut = false
})

/** To the page that asks who is there, and leads back here. Not for whoever means to go: what they still had asked for is refused. */
export function askToSignIn(): void {
  if (isSigningOut || location.pathname.startsWith('/sign-in')) return
  const next = location.pathname + location.search
  location.assign(`/sign-in?next=${encodeURIComponent(next)}`)
}

/** A change after which nobody is signed in here any more. */
export function useSigningOut<T>(mutationFn: (input: T) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn(input: T) {
      isSigningOut = true
      return mutationFn(input).catch((problem) => {
        isSigningOut = false
        throw problem
      })
    },
    onSuccess: () => {
      client.clear()
      location.assign('/sign-in')
    },
  })
}
