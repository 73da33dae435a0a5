import { hash } from 'node:crypto'
import type { App, FetchResponse } from '../shared/app.ts'
import { createDelivery, type NewEvent } from '../shared/delivery.ts'
import { toEventId } from '../shared/event-id.ts'
import { toDistinctId, toEventName } from '../shared/identity.ts'
import { describeError, discard, requestAndRead, withoutQuery } from '../shared/requests.ts'
import { textSetting } from '../shared/settings.ts'
import { createSkipped } from '../shared/skipped.ts'
import { toConditions, toVersion, type UrlVersion } from '../shared/versions.ts'
import { toFeedTime } from './dates.ts'
import { decodeDocument } from './encoding.ts'
import { type Feed, type FeedEntry, MAX_ENTRIES } from './feed.ts'
import { findFeedLink } from './html.ts'
import { readJsonFeed } from './json-feed.ts'
import { readXmlFeed } from './xml-feed.ts'

/** The storage key of the version that was imported last. */
const VERSION = 'version'
const MAX_BYTES = 10 * 1024 * 1024
const ACCEPT =
  'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5'

/** Imports the entries that are new. A feed that has not changed since the last run is not sent again. */
export async function importFeed(app: App): Promise<void> {
  const { meta, log } = app
  const url = textSetting(meta, 'url')
  if (!URL.canParse(url)) throw new Error(`The "Feed" is not a URL: "${url}".`)
  const event = toEventName(textSetting(meta, 'event', 'feed entry'))
  if (!event) throw new Error('The "Event name" is empty or too long.')
  const known = (await meta.storage.get(VERSION)) as UrlVersion | undefined
  const headers = { accept: ACCEPT, ...toConditions(url, known) }
  const document = await requestAndRead(app, url, { headers }, (response) => read(url, response))
  if (!document) {
    log.info('The feed has not changed.')
    return
  }

  const feed = parse(document, url)
  const skipped = createSkipped(app)
  const delivery = createDelivery(app, skipped)
  for (const entry of feed.entries) {
    if (delivery.add(toEvent(entry, feed, { url, event }))) await delivery.keepPace()
  }
  await delivery.settle()
  skipped.finish()
  log.info(`${feed.entries.length} entries read, ${skipped.count} skipped.`)
  if (feed.entries.length === MAX_ENTRIES) log.warn(`Only the first ${MAX_ENTRIES} were read.`)
  if (document.version) await meta.storage.set(VERSION, document.version)
}

interface FeedDocument {
  readonly text: string
  /** The address after redirects, from which relative links start. */
  readonly url: string
  readonly version: UrlVersion | undefined
}

async function read(url: string, response: FetchResponse): Promise<FeedDocument | undefined> {
  if (response.status === 304) {
    await discard(response)
    return undefined
  }
  if (!response.ok) throw new Error(await describeError(url, response))
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of response.body ?? []) {
    length += piece.length
    if (length > MAX_BYTES) throw problem(url, `is larger than ${MAX_BYTES} bytes`)
    pieces.push(piece)
  }
  const contentType = response.headers.get('content-type') ?? ''
  const text = named(url, () => decodeDocument(Buffer.concat(pieces), contentType))
  return { text, url: response.url || url, version: toVersion(url, response) }
}

function parse({ text, url: base }: FeedDocument, url: string): Feed {
  const isJson = /^\s*\{/.test(text)
  const feed = named(url, () => (isJson ? readJsonFeed : readXmlFeed)(text, base))
  if (feed) return feed
  const link = findFeedLink(text)
  const target = link && URL.parse(link, base)?.href
  throw problem(url, target ? `is a page, not a feed. Its feed is ${target}` : 'is not a feed')
}

/** Names the feed in what is wrong with it. */
function named<T>(url: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw problem(url, (error as Error).message)
  }
}

const problem = (url: string, text: string): Error => new Error(`${withoutQuery(url)} ${text}.`)

/** An entry without a readable time happened when it was first seen. */
function toEvent(
  entry: FeedEntry,
  feed: Feed,
  { url, event }: { readonly url: string; readonly event: string },
): NewEvent {
  const { title, link, author, categories, summary } = entry
  const person = [author, feed.title, new URL(url).host].map(toDistinctId).find(Boolean) as string
  return {
    uuid: toEventId(JSON.stringify([url, toIdentity(entry)])),
    event,
    distinct_id: person,
    timestamp: toFeedTime(entry.published),
    properties: {
      ...{ feed: feed.title || new URL(url).host, title, link, author, categories, summary },
    },
  }
}

/** IDs and links can be as long as a feed likes, and stay the same when a title is corrected. */
const toIdentity = ({ id, link, title, published }: FeedEntry): string =>
  id || link || `content ${hash('sha256', JSON.stringify([title, published]))}`
