import { parseText, type SearchParams } from '../../ui/list/search-params.ts'

export interface NextSearch {
  readonly next?: string
}

/** Allows only local paths, to prevent open redirects. Browsers drop control characters before parsing. */
const OWN_PATH = /^\/(?![/\\])\P{Cc}*$/u

export const toNext = (search: SearchParams): NextSearch => {
  const next = parseText(search.next)
  return { next: next && OWN_PATH.test(next) ? next : undefined }
}

/** The server's error code after a failed sign-in with the identity provider. */
export interface SignInSearch extends NextSearch {
  readonly problem?: string
  /** Whether the password was right, and a code is needed now. */
  readonly step?: 'code'
}

export const toSignInSearch = (search: SearchParams): SignInSearch => ({
  ...toNext(search),
  problem: parseText(search.problem),
  step: search.step === 'code' ? 'code' : undefined,
})

/** Reads the one-time token from the URL fragment, which no server or proxy logs. */
export const linkToken = (): string =>
  new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
