import { parseJson } from '../shared/json.ts'
import { isRecord } from '../shared/paths.ts'
import { type Feed, type FeedEntry, firstOf, MAX_ENTRIES, resolveLink } from './feed.ts'
import { toPlainText } from './html.ts'

type Fields = Readonly<Record<string, unknown>>

/** Reads a JSON feed. Returns undefined for other JSON. */
export function readJsonFeed(json: string, url: string): Feed | undefined {
  const feed = parseJson(json)
  if (!isRecord(feed) || !Array.isArray(feed.items)) return undefined
  if (!text(feed.version).includes('jsonfeed.org')) return undefined
  const items = feed.items.filter(isRecord).slice(0, MAX_ENTRIES)
  return { title: text(feed.title), entries: items.map((item) => toEntry(item, url)) }
}

const toEntry = (item: Fields, url: string): FeedEntry => ({
  id: text(item.id),
  title: toPlainText(text(item.title)),
  link: resolveLink(firstOf(text(item.url), text(item.external_url)), url),
  published: firstOf(text(item.date_published), text(item.date_modified)),
  author: firstOf(
    ...[item.authors, item.author]
      .flat()
      .filter(isRecord)
      .map(({ name }) => text(name)),
  ),
  categories: [item.tags]
    .flat()
    .map(text)
    .filter((tag) => tag !== ''),
  summary: toPlainText(
    firstOf(text(item.summary), text(item.content_text), text(item.content_html)),
  ),
})

/** Some feeds have numbers as IDs. */
const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
