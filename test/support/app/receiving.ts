import { until } from '../until.ts'
import { CONFIGS, startApp, type TestApp } from './app.ts'
import { startTestWorker } from './import-app.ts'

const WEBHOOK = 5
/** The config that receives requests. */
export const CONFIG = `${CONFIGS}/1`
/** The secret of the sender. */
export const SECRET = 'it is a secret'

export interface Sent {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

interface SendOptions {
  readonly method?: string
  /** With its question mark. */
  readonly query?: string
}

export interface Receiving extends TestApp {
  /** The URL to which other services send requests. */
  readonly receiver: string
  send(body: unknown, headers?: Record<string, string>, options?: SendOptions): Promise<Sent>
  /** Waits until this many requests are handled. */
  handled(count: number): Promise<void>
  stored(): Promise<{ event: string; distinct_id: string; properties: Record<string, unknown> }[]>
}

/** Sends a request as another service does. Text and bytes are sent as they are, other values as JSON. */
export async function sendTo(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  { method = 'POST', query = '' }: SendOptions = {},
): Promise<Sent> {
  const text = typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body)
  const hasType = headers['content-type'] !== ''
  const response = await fetch(url + query, {
    method,
    headers: hasType ? { 'content-type': 'application/json', ...headers } : {},
    ...(method !== 'GET' && { body: Buffer.from(text) }),
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

/** Starts with a config of the built-in app Webhook. */
export async function startReceiving(settings: object = {}, hasWorker = true): Promise<Receiving> {
  const api = await startApp()
  await api.post(CONFIGS, { plugin: WEBHOOK, enabled: true })
  await api.patch(`${CONFIG}/settings`, { settings: { event: 'type', ...settings } })
  const receiver = api.address((await api.get(`${CONFIG}/address`)).body.path)
  if (hasWorker) startTestWorker(api)
  return {
    ...api,
    receiver,
    send: (body, headers, options) => sendTo(receiver, body, headers, options),
    async handled(count) {
      await until(async () => {
        const { body } = await api.get(`${CONFIG}/requests?limit=1000`)
        const ended = body.results.filter(({ state }: { state: string }) => state !== 'waiting')
        return ended.length >= count
      })
    },
    async stored() {
      const events = await api.services.events.list(1, { limit: 1000, offset: 0 })
      return events.map(({ event, distinct_id, properties }) => ({
        event,
        distinct_id,
        properties: JSON.parse(properties as string),
      }))
    },
  }
}
