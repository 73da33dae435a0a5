import { useMutation } from '@tanstack/react-query'

let isSigningOut = false

/**
 * Opens the page to sign in, or to set up the second factor, which returns here afterwards. Does nothing while signing
 * out, when pending requests get a 401.
 */
export function redirectToSignIn(page = '/sign-in'): void {
  if (isSigningOut || location.pathname.startsWith(page)) return
  const next = location.pathname + location.search
  location.assign(`${page}?next=${encodeURIComponent(next)}`)
}

export function useSignOutMutation<T>(mutationFn: (input: T) => Promise<unknown>) {
  return useMutation({
    mutationFn(input: T) {
      isSigningOut = true
      return mutationFn(input).catch((problem) => {
        isSigningOut = false
        throw problem
      })
    },
    onSuccess: () => location.assign('/sign-in'), // a full page load drops every cached query
  })
}
