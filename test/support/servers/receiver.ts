import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { until } from '../until.ts'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the test knows the type of the body
  readonly body: any
}

export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** The status of the next responses; 0 means no response at all. */
  answer(status: number, headers?: Record<string, string>): void
  /** Waits until `count` requests have arrived and returns them. */
  waitFor(count: number): Promise<readonly Received[]>
}

/** Starts a server that receives webhooks. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let answer: [number, Record<string, string>] = [200, {}]
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const text = Buffer.concat(parts).toString()
    const body = text === '' ? undefined : JSON.parse(text)
    received.push({ path: request.url ?? '', headers: request.headers, text, body })
    if (answer[0] !== 0) response.writeHead(...answer).end('thanks')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (status, headers = {}) => {
      answer = [status, headers]
    },
    waitFor: (count) => until(() => received.length >= count && received),
  }
}

/** Verifies a signature as the guide describes, independently of the signing code. */
export function isSigned({ headers, text }: Received, secret: string): boolean {
  const [, time, signature = ''] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-hedgerow-signature'])) ?? []
  const isRecent = Math.abs(Date.now() / 1000 - Number(time)) < 300
  const expected = createHmac('sha256', secret).update(`${time}.${text}`).digest()
  const given = Buffer.from(signature, 'hex')
  return isRecent && given.length === expected.length && timingSafeEqual(given, expected)
}
