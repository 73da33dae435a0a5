import type { App } from '../shared/app.ts'
import { toDistinctId, toEventName } from '../shared/identity.ts'
import { isDeeper, isRecord, valueAt } from '../shared/paths.ts'
import { describeBadDate, toTimestamp } from '../shared/times.ts'

export interface WebhookRequest {
  readonly query: Readonly<Record<string, string>>
  /** The body as JSON or as the fields of a form, or text. */
  readonly body: unknown
}

/** Less than the limit of the event store. */
const MAX_DEPTH = 60

/** Stores an event for the request, or for each item of its list. */
export async function handleRequest(
  { meta, capture }: App,
  { query, body }: WebhookRequest,
): Promise<void> {
  const settings = toSettings(meta.config)
  const content = body === undefined ? query : body
  const found = settings.list === '' ? content : valueAt(content, settings.list)
  if (found === undefined) throw new Error(`The request has nothing at "${settings.list}".`)
  for (const item of Array.isArray(found) ? found : [found]) {
    const { event, properties } = toEvent(settings, item)
    await capture(event, properties)
  }
}

type Settings = ReturnType<typeof toSettings>

const toSettings = (config: Readonly<Record<string, unknown>>) => {
  const text = (key: string) => String(config[key] ?? '').trim()
  return {
    list: text('list'),
    event: text('event') || 'webhook',
    distinctId: text('distinct_id'),
    timestamp: text('timestamp'),
    properties: text('properties')
      .split(',')
      .map((path) => path.trim())
      .filter((path) => path !== ''),
  }
}

function toEvent(settings: Settings, item: unknown) {
  if (typeof item === 'object' && item !== null && isDeeper(item, MAX_DEPTH)) {
    throw new Error(`The request is nested more than ${MAX_DEPTH} levels deep.`)
  }
  const distinct_id = toPerson(settings, item)
  const time = settings.timestamp === '' ? undefined : valueAt(item, settings.timestamp)
  const timestamp = toTimestamp(time)
  if (settings.timestamp !== '' && timestamp === undefined) {
    throw new Error(describeBadDate(time, settings.timestamp))
  }
  return {
    event: toEventName(valueAt(item, settings.event)) ?? settings.event,
    properties: { ...toProperties(settings, item), distinct_id, timestamp },
  }
}

function toPerson({ distinctId: path }: Settings, item: unknown): string {
  if (path === '') return 'webhook'
  const person = toDistinctId(valueAt(item, path))
  if (person === undefined) throw new Error(`The request has no person at "${path}".`)
  return person
}

function toProperties({ properties }: Settings, item: unknown): Record<string, unknown> {
  if (properties.length === 0) return isRecord(item) ? item : { body: item }
  return Object.fromEntries(
    properties.flatMap((path) => {
      const value = valueAt(item, path)
      return value === undefined ? [] : [[path, value]]
    }),
  )
}
