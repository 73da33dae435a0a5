import type { App } from '../shared/app.ts'
import { createDelivery } from '../shared/delivery.ts'
import { valueAt } from '../shared/paths.ts'
import { describeError, requestAndRead } from '../shared/requests.ts'
import { createSkipped } from '../shared/skipped.ts'
import { toTimestamp } from '../shared/times.ts'
import type { Connector, Incremental, Stream, TimeFormat } from './connector.ts'
import { findNextPage, toFirstPage } from './pages.ts'
import { toEvent } from './records.ts'
import { createRequests, type Requests } from './requests.ts'

/** Stops at an API that returns new cursors forever. */
const MAX_EMPTY_PAGES = 10

/** A part of the past: `from` belongs to it, `to` does not. */
export interface Window {
  readonly from: string
  readonly to: string
  /** null: all streams. */
  readonly streams: readonly string[] | null
}

/** Imports what is new in each stream. One that fails does not stop those behind it. */
export const importNew = (app: App, connector: Connector): Promise<void> =>
  importEach(app, connector, connector.streams, async (stream, run) => {
    const { storage } = app.meta
    const key = `cursor of ${stream.name}`
    const since = (await storage.get(key)) as string | undefined
    const latest = await run(stream.incremental ? toParameters(stream.incremental, since) : {})
    if (latest !== undefined && latest > (since ?? '')) await storage.set(key, latest)
  })

/** Imports one window of the streams that can be asked for one. */
export function importWindow(app: App, connector: Connector, window: Window): Promise<void> {
  const able = connector.streams.filter(({ incremental }) => incremental?.to_parameter)
  const unknown = (window.streams ?? []).find((name) => !able.some((one) => one.name === name))
  if (unknown !== undefined) throw new Error(`The stream "${unknown}" cannot import the past.`)
  const streams = able.filter(({ name }) => window.streams?.includes(name) ?? true)
  return importEach(app, connector, streams, async ({ incremental }, run) => {
    const { parameter, to_parameter, format } = incremental as Incremental
    await run({
      [parameter]: formatTime(window.from, format),
      [to_parameter as string]: formatTime(window.to, format),
    })
  })
}

type Parameters = Readonly<Record<string, string>>
/** Imports a stream with these parameters, and returns the latest time of its records. */
type RunStream = (parameters: Parameters) => Promise<string | undefined>

async function importEach(
  app: App,
  connector: Connector,
  streams: readonly Stream[],
  work: (stream: Stream, run: RunStream) => Promise<void>,
): Promise<void> {
  const requests = createRequests(app, connector)
  if (connector.rate_limit) {
    await app.meta.utils.rateLimit(new URL(requests.toUrl('', {})).host, connector.rate_limit)
  }
  const failures: Error[] = []
  for (const stream of streams) {
    try {
      await work(stream, (parameters) => importStream(app, requests, stream, parameters))
    } catch (error) {
      failures.push(error as Error)
    }
  }
  const [first] = failures
  if (!first) return
  const others = failures.length > 1 ? ` ${failures.length - 1} other streams failed too.` : ''
  throw Object.assign(new Error(first.message + others), {
    isTemporary: (first as { isTemporary?: boolean }).isTemporary === true,
  })
}

async function importStream(
  app: App,
  requests: Requests,
  stream: Stream,
  parameters: Parameters,
): Promise<string | undefined> {
  const paginate = stream.paginate ?? {}
  const source = requests.toUrl('', {})
  const skipped = createSkipped(app)
  const delivery = createDelivery(app, skipped)
  const query = { ...stream.query, ...toFirstPage(paginate), ...parameters }
  let url: string | undefined = requests.toUrl(stream.path, query)
  let latest: string | undefined
  let before: string | undefined
  let seen = 0
  let emptyPages = 0
  while (url !== undefined) {
    const page = await readPage(app, requests, stream, url)
    // some servers repeat the last page past the end
    if (page === 'ignored' || page.text === before) break
    before = page.text
    for (const record of page.records) {
      seen += 1
      const event = toEvent(source, stream, record)
      if (typeof event === 'string')
        skipped.add(`Stream "${stream.name}", record ${seen}: ${event}`, record)
      else if (delivery.add(event)) await delivery.keepPace()
      latest = later(
        latest,
        stream.incremental && toTimestamp(valueAt(record, stream.incremental.field)),
      )
    }
    await delivery.settle()
    app.meta.utils.progress(seen, null, `${stream.name}: ${seen} records`)
    const { length: count } = page.records
    emptyPages = count === 0 ? emptyPages + 1 : 0
    if (emptyPages === MAX_EMPTY_PAGES) break
    url = findNextPage(paginate, { url, body: page.body, link: page.link, count })
  }
  skipped.finish()
  app.log.info(`Stream "${stream.name}": ${seen} records read, ${skipped.count} skipped.`)
  return latest
}

const later = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined || (b !== undefined && b > a) ? b : a

async function readPage(app: App, requests: Requests, stream: Stream, href: string) {
  const { url, headers } = requests.withKey(href)
  const inStream = (error: Error) => {
    error.message = `Stream "${stream.name}": ${error.message}`
    throw error
  }
  const { response, text } = await requestAndRead(app, url, headers, async (received) => ({
    response: received,
    text: received.ok ? await received.text() : '',
  })).catch(inStream)
  if (!response.ok) {
    const problem = await describeError(url, response)
    const isIgnored = stream.errors?.some(({ status }) => status === response.status)
    if (!isIgnored) throw new Error(`Stream "${stream.name}": ${problem}`)
    app.log.warn(`Stream "${stream.name}": ${problem} Ignored.`)
    return 'ignored'
  }
  const body = parse(text)
  const records = body === undefined ? undefined : valueAt(body, stream.records ?? '')
  if (!Array.isArray(records)) {
    const path = stream.records ? ` at "${stream.records}"` : ''
    const shown = text.replace(/\s+/g, ' ').slice(0, 200)
    throw new Error(`Stream "${stream.name}": the response has no list${path}. Response: ${shown}`)
  }
  return { text, body, records, link: response.headers.get('link') }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toParameters(incremental: Incremental, since: string | undefined): Parameters {
  if (since === undefined) return {}
  const from = Date.parse(since) - (incremental.lookback ?? 0) * 1000
  return { [incremental.parameter]: formatTime(new Date(from).toISOString(), incremental.format) }
}

function formatTime(iso: string, format: TimeFormat = 'iso'): string {
  switch (format) {
    case 'iso':
      return iso
    case 'date':
      return iso.slice(0, 10)
    case 'seconds':
      return String(Math.floor(Date.parse(iso) / 1000))
    case 'milliseconds':
      return String(Date.parse(iso))
  }
}
