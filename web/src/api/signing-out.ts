import { useMutation } from '@tanstack/react-query'

let isSigningOut = false

/** To the page that asks who is there, and leads back here. Not for whoever means to go: what they still had asked for is refused. */
export function askToSignIn(): void {
  if (isSigningOut || location.pathname.startsWith('/sign-in')) return
  const next = location.pathname + location.search
  location.assign(`/sign-in?next=${encodeURIComponent(next)}`)
}

/** A change after which nobody is signed in here any more. */
export function useSigningOut<T>(mutationFn: (input: T) => Promise<unknown>) {
  return useMutation({
    mutationFn(input: T) {
      isSigningOut = true
      return mutationFn(input).catch((problem) => {
        isSigningOut = false
        throw problem
      })
    },
    onSuccess: () => location.assign('/sign-in'), // the whole page anew, with nothing of what it knew
  })
}
