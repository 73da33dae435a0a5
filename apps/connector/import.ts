import type { App } from '../shared/app.ts'
import { createDelivery } from '../shared/delivery.ts'
import { valueAt } from '../shared/paths.ts'
import { createSkipped } from '../shared/skipped.ts'
import { toTimestamp } from '../shared/times.ts'
import type { Connector, Incremental, Stream, Target } from './connector.ts'
import {
  type Cursor,
  formatTime,
  hasPlaces,
  loadCursor,
  type Slice,
  saveCursor,
  toSlices,
} from './cursor.ts'
import { type Above, fillText, MissingValue, namesAbove } from './fill.ts'
import { isKept } from './filter.ts'
import { createReader, type Reader, readAbove, readPages } from './read.ts'
import { type Place, toEvent } from './records.ts'

/** A part of the past: `from` belongs to it, `to` does not. */
export interface Window {
  readonly from: string
  readonly to: string
  /** null: all streams. */
  readonly streams: readonly string[] | null
}

/** A stream whose records become events. */
type EventStream = Stream & { readonly to: Target }

/** Imports what is new in each stream. One that fails does not stop those behind it. */
export const importNew = (app: App, connector: Connector): Promise<void> =>
  importEach(app, connector, connector.streams.filter(hasEvents), async (stream, run) => {
    const { incremental } = stream
    if (!incremental) {
      await run({ slicesAt: () => [{ parameters: {} }] })
      return
    }
    const cursor = await loadCursor(app, stream)
    const startedAt = new Date().toISOString()
    const save = (latest: Cursor) => saveCursor(app, stream, { cursor, latest, startedAt })
    const latest = await run({
      slicesAt: (place, fill) =>
        toSlices(incremental, { since: cursor[place], now: startedAt, fill }),
      onStep: save,
    })
    await save(latest)
  })

/** Imports one window of the streams that can be asked for one. */
export function importWindow(app: App, connector: Connector, window: Window): Promise<void> {
  const able = connector.streams.filter(hasEvents).filter((one) => one.incremental?.to_parameter)
  const unknown = (window.streams ?? []).find((name) => !able.some((one) => one.name === name))
  if (unknown !== undefined) throw new Error(`The stream "${unknown}" cannot import the past.`)
  const streams = able.filter(({ name }) => window.streams?.includes(name) ?? true)
  return importEach(app, connector, streams, async ({ incremental }, run) => {
    const { parameter, to_parameter, format } = incremental as Incremental
    const parameters = {
      [parameter]: formatTime(window.from, format),
      [to_parameter as string]: formatTime(window.to, format),
    }
    await run({ slicesAt: () => [{ parameters }] })
  })
}

const hasEvents = (stream: Stream): stream is EventStream => stream.to !== undefined

/** Tells what is read of a stream. */
interface Plan {
  slicesAt(place: string, fill: (text: string) => string): Iterable<Slice>
  /** Called once a step of time is stored, with what is complete by place. */
  onStep?(latest: Cursor): Promise<void>
}
/** Imports a stream, and returns the latest time of its records by place. */
type RunStream = (plan: Plan) => Promise<Cursor>

async function importEach(
  app: App,
  connector: Connector,
  streams: readonly EventStream[],
  work: (stream: EventStream, run: RunStream) => Promise<void>,
): Promise<void> {
  const skipped = createSkipped(app)
  const reader = createReader(app, connector, skipped)
  if (connector.rate_limit) {
    await app.meta.utils.rateLimit(
      new URL(reader.requests.toUrl('', {})).host,
      connector.rate_limit,
    )
  }
  const failures: Error[] = []
  for (const stream of streams) {
    try {
      await work(stream, (plan) => importStream(reader, stream, plan))
    } catch (error) {
      failures.push(error as Error)
    }
  }
  skipped.finish()
  const [first] = failures
  if (!first) return
  const others = failures.length > 1 ? ` ${failures.length - 1} other streams failed too.` : ''
  throw Object.assign(new Error(first.message + others), {
    isTemporary: (first as { isTemporary?: boolean }).isTemporary === true,
  })
}

async function importStream(reader: Reader, stream: EventStream, plan: Plan): Promise<Cursor> {
  const { app, skipped } = reader
  const { name } = stream
  const delivery = createDelivery(app, skipped)
  const mismatches = new Set<string>()
  const latest: Record<string, string> = {}
  const complete: Record<string, string> = {}
  const skippedBefore = skipped.count
  let seen = 0
  let filtered = 0
  for await (const above of readAbove(reader, stream)) {
    const key = toPlaceKey(stream, above)
    const place = toPlace(reader, stream, above, mismatches)
    const filled = { ...stream, to: fillTarget(stream.to, place) }
    const fill = (text: string) => reader.requests.fill(text, above)
    for (const { parameters, until } of plan.slicesAt(key, fill)) {
      for await (const records of readPages(reader, stream, above, parameters)) {
        for (const record of records) {
          seen += 1
          const time = stream.incremental && toTimestamp(valueAt(record, stream.incremental.field))
          if (time !== undefined && time > (latest[key] ?? '')) latest[key] = time
          if (!isKept(record, stream.filter, fill)) {
            filtered += 1
            continue
          }
          const event = toEvent(filled, place, record)
          if (typeof event === 'string') {
            skipped.add(`Stream "${name}", record ${seen}: ${event}`, record)
          } else if (delivery.add(event)) await delivery.keepPace()
        }
        await delivery.settle()
        app.meta.utils.progress(seen, null, `${name}: ${seen} records`)
      }
      if (until === undefined) continue
      complete[key] = until
      if (until > (latest[key] ?? '')) latest[key] = until
      await plan.onStep?.(complete)
    }
  }
  const counts = [`${skipped.count - skippedBefore} skipped`]
  if (stream.filter) counts.push(`${filtered} filtered out`)
  app.log.info(`Stream "${name}": ${seen} records read, ${counts.join(', ')}.`)
  return latest
}

function fillTarget(to: Target, place: Place): Target {
  const fill = (text: string) => place.fill(text) ?? ''
  const { event, person, time } = to
  return {
    ...to,
    event: fill(event),
    person: [person].flat().map(fill),
    ...(time !== undefined && { time: fill(time) }),
  }
}

/** Tells apart the records and partitions that a stream is read for: empty if it is read once. */
const toPlaceKey = ({ path, query = {}, headers = {} }: Stream, above: Above): string =>
  [path, ...Object.values(query), ...Object.values(headers)]
    .filter(namesAbove)
    .map((text) => fillText(text, (key) => `{{${key}}}`, above))
    .join(' ')

function toPlace(
  { app, requests }: Reader,
  stream: Stream,
  above: Above,
  mismatches: Set<string>,
): Place {
  const key = toPlaceKey(stream, above)
  return {
    source: [requests.toUrl('', {}), ...(hasPlaces(stream) ? [key] : [])],
    fill(text) {
      try {
        return requests.fill(text, above)
      } catch (error) {
        if (error instanceof MissingValue) return null
        throw error
      }
    },
    mismatch(field, type) {
      if (mismatches.has(field)) return
      mismatches.add(field)
      app.log.warn(
        `Stream "${stream.name}": a value of "${field}" is no ${type}, and is imported as null.`,
      )
    },
  }
}
