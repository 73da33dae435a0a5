import { type Search, textOf } from '../../ui/search.ts'

export interface NextSearch {
  readonly next?: string
}

/** Only a path of ours: nobody is sent elsewhere after signing in. Browsers drop control characters before they look. */
const OWN_PATH = /^\/(?![/\\])\P{Cc}*$/u

export const toNext = (search: Search): NextSearch => {
  const next = textOf(search.next)
  return { next: next && OWN_PATH.test(next) ? next : undefined }
}

/** Why the provider's sign-in did not work, as the server names it. */
export interface SignInSearch extends NextSearch {
  readonly problem?: string
}

export const toSignInSearch = (search: Search): SignInSearch => ({
  ...toNext(search),
  problem: textOf(search.problem),
})
