import {
  type AppToLoad,
  MAX_SMALL_BATCH,
  type RequestToApp,
} from '#server/runtime/wire/protocol.ts'
import type { Calls } from './calls.ts'
import { type FetchTools, type Response, requestFromHost } from './fetch.ts'
import { Headers, type HeadersInput } from './headers.ts'

/** A batch is sent when it reaches one of these sizes, or when the app awaits something. */
const BATCH_EVENTS = 200
/** Leaves room for characters of several bytes. */
const BATCH_CHARACTERS = MAX_SMALL_BATCH - 4 * 1024

const MAX_NAME_LENGTH = 1000

const LIBRARY = { $lib: 'posthog-plugin-server', $lib_version: '1.0.0' }

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

interface Batch {
  readonly events: string[]
  readonly stored: Promise<unknown>
  readonly id: number
  characters: number
}

type Handled = Pick<RequestToApp, 'ids' | 'received_at'>

export interface Captures {
  /** Begins the next run. The events of a request have its time, and the same UUIDs each time. */
  startRun(request: Handled | undefined): void
  capture(event: unknown, properties?: unknown, options?: { uuid?: unknown }): Promise<unknown>
  /** Sends the current batch and resolves when every event is stored. */
  waitForStored(): Promise<void>
}

export function createCaptures(
  app: AppToLoad,
  calls: Calls,
  send: (id: number, text: string) => void,
): Captures {
  let batch: Batch | undefined
  let request: Handled | undefined
  let captured = 0

  /** Gives the nth event of a repeated request the same UUID each time (version 8). */
  const nextUuid = (): string | undefined => request && toNumberedUuid(request.ids, captured++)

  function flush(): void {
    if (!batch) return
    const { id, events } = batch
    batch = undefined
    send(id, `[${events.join()}]`)
  }

  function startBatch(): Batch {
    const id = calls.nextId()
    const stored = calls.waitForReply(id)
    // the host fails a run that could not store its events, whether or not the app awaited them
    stored.catch(() => {})
    void Promise.resolve().then(flush)
    return { id, events: [], stored, characters: 0 }
  }

  // One promise per batch, so that an app that captures a million events at once holds few promises.
  function add(text: string): Promise<unknown> {
    // a large event has a batch of its own, because the host reads a large batch more slowly and refuses it as a whole
    if (batch && batch.characters + text.length >= BATCH_CHARACTERS) flush()
    batch ??= startBatch()
    const { events, stored } = batch
    events.push(text)
    batch.characters += text.length
    if (events.length >= BATCH_EVENTS) flush()
    return stored
  }

  return {
    startRun(next) {
      request = next
      captured = 0
    },
    capture(event, properties, options) {
      try {
        const uuid = options?.uuid ?? nextUuid()
        return add(toEvent(app, event, properties, { uuid, time: request?.received_at }))
      } catch (error) {
        return Promise.reject(error)
      }
    },
    async waitForStored() {
      flush()
      await calls.waitForAll()
    },
  }
}

function toEvent(
  app: AppToLoad,
  event: unknown,
  properties: unknown,
  { uuid, time }: { uuid?: unknown; time: string | undefined },
): string {
  if (typeof event !== 'string' || event === '') {
    throw new TypeError('posthog.capture expects the name of an event.')
  }
  const given = (properties ?? {}) as Record<string, unknown>
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new TypeError('posthog.capture expects the properties as an object.')
  }
  const { timestamp, distinct_id } = given
  const person = String(distinct_id ?? (app.pluginName || `plugin-id-${app.pluginId}`))
  const all = { ...LIBRARY, ...given, distinct_id: person, timestamp: undefined }
  const text = `{"event":${JSON.stringify(event)},"distinct_id":${JSON.stringify(person)},"timestamp":"${toTime(timestamp ?? time)}"${toUuid(uuid)},"properties":${JSON.stringify(all)}}`
  if (Math.max(event.length, person.length) > MAX_NAME_LENGTH) {
    throw new RangeError(
      `The name of an event and a distinct_id have at most ${MAX_NAME_LENGTH} characters.`,
    )
  }
  if (text.length > app.limits.maxEventLength) {
    throw new RangeError(`The event '${event}' is larger than ${app.limits.maxEventLength} bytes.`)
  }
  return text
}

function toTime(timestamp: unknown): string {
  const time =
    timestamp === undefined || timestamp === null ? new Date() : new Date(timestamp as never)
  const ms = time.getTime()
  if (Number.isNaN(ms)) throw new RangeError(`'${timestamp}' is not a time.`)
  if (ms !== lastTime.ms) lastTime = { ms, text: time.toISOString() }
  return lastTime.text
}

/** The time of the last event: those captured in one millisecond share it, and writing it took a quarter of a capture. */
let lastTime = { ms: Number.NaN, text: '' }

function toUuid(uuid: unknown): string {
  if (uuid === undefined || uuid === null) return ''
  if (typeof uuid !== 'string' || !UUID.test(uuid)) throw new TypeError(`'${uuid}' is not a UUID.`)
  return `,"uuid":"${uuid.toLowerCase()}"`
}

const toNumberedUuid = (ids: string, number: number): string => {
  const digits = ids + number.toString(16).padStart(8, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`
}

interface ApiOptions {
  readonly headers?: HeadersInput
  readonly data?: unknown
  readonly host?: string
  readonly projectApiKey?: string
  readonly personalApiKey?: string
}

type ApiCall = (path: string, options?: ApiOptions) => Promise<Response>

/** Creates `posthog.api`. The host adds its own origin and keys, so that the app never sees them. */
export function createApi(
  tools: FetchTools,
): Readonly<Record<'get' | 'post' | 'put' | 'patch' | 'delete', ApiCall>> {
  const call =
    (method: string): ApiCall =>
    async (path, { headers, data, host, projectApiKey, personalApiKey } = {}) => {
      if (Boolean(projectApiKey) !== Boolean(personalApiKey)) {
        throw new Error(
          'You must specify a personalApiKey if you specify a projectApiKey and vice-versa!',
        )
      }
      const hasBody = method !== 'GET' && method !== 'DELETE' && data !== undefined
      const body = hasBody ? tools.Buffer.from(JSON.stringify(data)) : undefined
      const request = {
        method,
        path: String(path),
        host: host ?? null,
        keys: projectApiKey ? { project: projectApiKey, personal: personalApiKey } : null,
        query: method === 'GET' ? toQuery(data) : [],
        headers: [...new Headers(headers)],
      }
      return requestFromHost(
        tools,
        'api',
        request,
        body && { source: [body], length: body.length, type: undefined },
      )
    }
  return {
    get: call('GET'),
    post: call('POST'),
    put: call('PUT'),
    patch: call('PATCH'),
    delete: call('DELETE'),
  }
}

const toQuery = (data: unknown): [string, string][] =>
  Object.entries(data ?? {}).map(([name, value]) => [name, String(value)])
