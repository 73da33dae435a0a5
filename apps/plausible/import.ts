import type { App, Meta } from '../shared/app.ts'
import { createDelivery, type NewEvent } from '../shared/delivery.ts'
import { toEventId } from '../shared/event-id.ts'
import { textSetting, toWholeNumber } from '../shared/settings.ts'
import { createSkipped } from '../shared/skipped.ts'
import { toTimestamp } from '../shared/times.ts'
import { type DailyRow, queryDays, type Range, type Site } from './query.ts'
import { STREAMS, type Stream } from './streams.ts'

/** A part of the past: `from` belongs to it, `to` does not. */
export interface Window {
  readonly from: string
  readonly to: string
  /** null: all streams. */
  readonly streams: readonly string[] | null
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A day is over in every time zone 36 hours after it began in UTC. */
const OVER_MS = 36 * HOUR_MS
/** The service allows 600 requests an hour. */
const RATE = { requests: 500, seconds: 3600 }
const DAY = /^\d{4}-\d\d-\d\d$/

const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Imports the days that are over since the last run, because the figures of a day change until then. */
export async function importNewDays(app: App): Promise<void> {
  const { storage } = app.meta
  const to = toDay(Date.now() - OVER_MS)
  const bounds = { name: 'Days of history', min: 1, max: 3650 }
  const days = toWholeNumber(textSetting(app.meta, 'days', '90') || '90', bounds)
  const first = toDay(Date.parse(to) - (days - 1) * DAY_MS)
  await importStreams(app, STREAMS, async (stream, run) => {
    const key = `next day of ${stream.name}`
    const next = await storage.get(key)
    const from = typeof next === 'string' && DAY.test(next) ? next : first
    if (from > to) return
    await run({ from, to })
    await storage.set(key, toDay(Date.parse(to) + DAY_MS))
  })
}

/** Imports the days that begin in a window. */
export async function importWindow(app: App, { from, to, streams }: Window): Promise<void> {
  const unknown = streams?.find((name) => !STREAMS.some((stream) => stream.name === name))
  if (unknown !== undefined) throw new Error(`There is no stream "${unknown}".`)
  const first = toDay(Math.ceil(Date.parse(from) / DAY_MS) * DAY_MS)
  const last = toDay(Math.min(Date.parse(to) - 1, Date.now() - OVER_MS))
  if (first > last) return
  const wanted = STREAMS.filter(({ name }) => streams?.includes(name) ?? true)
  await importStreams(app, wanted, async (_, run) => run({ from: first, to: last }))
}

async function importStreams(
  app: App,
  streams: readonly Stream[],
  work: (stream: Stream, run: (range: Range) => Promise<void>) => Promise<void>,
): Promise<void> {
  const site = readSite(app.meta)
  await app.meta.utils.rateLimit(new URL(site.url).host, RATE)
  const skipped = createSkipped(app)
  for (const stream of streams) {
    await work(stream, async (range) => {
      const delivery = createDelivery(app, skipped)
      let seen = 0
      for await (const rows of queryDays(app, site, stream, range)) {
        for (const row of rows) {
          seen += 1
          const event = toEvent(site, stream, row)
          if (typeof event === 'string') skipped.add(`Stream "${stream.name}": ${event}`, row)
          else if (delivery.add(event)) await delivery.keepPace()
        }
        app.meta.utils.progress(seen, null, `${stream.name}: ${seen} rows`)
      }
      await delivery.settle()
      app.log.info(`Stream "${stream.name}", ${range.from} to ${range.to}: ${seen} rows read.`)
    })
  }
  skipped.finish()
}

function readSite(meta: Pick<Meta, 'config'>): Site {
  const url = textSetting(meta, 'url', 'https://plausible.io')
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new Error(`The "URL" is not valid: "${url}".`)
  }
  const [site, key] = [textSetting(meta, 'site'), textSetting(meta, 'key')]
  if (site === '') throw new Error('The "Site" is not set.')
  if (key === '') throw new Error('The "API key" is not set.')
  return { url, site, key }
}

/** Takes noon, which is in the same day in the time zone of most projects. */
function toEvent(
  { url, site }: Site,
  { name, event, metrics, by }: Stream,
  row: DailyRow,
): NewEvent | string {
  const timestamp = DAY.test(row.day) ? toTimestamp(`${row.day}T12:00:00Z`) : undefined
  if (timestamp === undefined) return `"${row.day.slice(0, 100)}" is not a day.`
  const figures = metrics.map((metric, index) => [metric, row.metrics[index]] as const)
  return {
    uuid: toEventId(JSON.stringify([new URL(url).host, site, name, row.day, row.value])),
    event,
    distinct_id: site,
    timestamp,
    properties: { site, ...(by && { [by.property]: row.value }), ...Object.fromEntries(figures) },
  }
}
