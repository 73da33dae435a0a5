import { type Search, textOf } from '../../ui/search.ts'

export interface NextSearch {
  readonly next?: string
}

/** Only a path of ours: nobody is sent elsewhere after signing in. */
export const toNext = (search: Search): NextSearch => {
  const next = textOf(search.next)
  return { next: next && /^\/(?![/\\])/.test(next) ? next : undefined }
}
