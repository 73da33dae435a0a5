import { decodeEntities } from '../shared/entities.ts'

const MAX_SUMMARY = 500

/** Returns the start of a text that may be HTML, without its markup. */
export function toPlainText(html: string): string {
  const text = html
    .slice(0, 20 * MAX_SUMMARY)
    .replace(/<(script|style)\b[^>]*>[^<]*<\/\1>/gi, ' ')
    .replace(/<[^>]*>?/g, ' ')
  return decodeEntities(text).replace(/\s+/g, ' ').trim().slice(0, MAX_SUMMARY)
}

const LINK = /<link\b[^>]{0,500}>/gi
const TYPE = /type\s*=\s*["']?application\/(?:rss\+xml|atom\+xml|feed\+json)/i
const HREF = /href\s*=\s*["']?([^"'\s>]+)/i

/** Finds the feed that a page names. */
export function findFeedLink(html: string): string | undefined {
  const links = html.slice(0, 100_000).match(LINK) ?? []
  const link = links.find((one) => TYPE.test(one))
  return link && HREF.exec(link)?.[1]
}
