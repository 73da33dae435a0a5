/** One entry of a feed, as it was written. */
export interface FeedEntry {
  /** Empty if there is none. */
  readonly id: string
  readonly title: string
  /** An absolute URL, or empty. */
  readonly link: string
  readonly published: string
  readonly author: string
  readonly categories: readonly string[]
  /** Plain text. */
  readonly summary: string
}

export interface Feed {
  readonly title: string
  readonly entries: readonly FeedEntry[]
}

/** A feed with more is not read further, which bounds the memory. */
export const MAX_ENTRIES = 10_000

/** Returns the URL that a link means, or an empty text. */
export function resolveLink(link: string, base: string): string {
  const url = link.trim() === '' ? null : URL.parse(link.trim(), base)
  return url && /^https?:$/.test(url.protocol) ? url.href : ''
}

/** The first of the texts that is not empty. */
export const firstOf = (...texts: readonly (string | undefined)[]): string =>
  texts.map((text) => text?.trim() ?? '').find((text) => text !== '') ?? ''
