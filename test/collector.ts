import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { until } from './until.ts'

/** A span as a collector receives it, with its attributes as an object. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code?: number; readonly message?: string }
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface Collector {
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
  /** The attributes of the last sender, and the headers of its request. */
  readonly resource: Readonly<Record<string, unknown>>
  readonly headers: IncomingHttpHeaders
  /** Answers the next request with this status, and forgets what it contains. */
  failNext(status: number): void
  waitFor(name: string): Promise<ReceivedSpan>
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

const toObject = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** Starts a server that receives traces as OTLP's JSON over HTTP. */
export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  let status = 200
  const seen = { resource: {}, headers: {} as IncomingHttpHeaders }
  const server = createServer(async (request, response) => {
    // biome-ignore lint/suspicious/noExplicitAny: the format of the protocol
    const body: any = await json(request)
    const [{ resource, scopeSpans }] = body.resourceSpans
    if (status === 200 && request.url === '/v1/traces') {
      seen.resource = toObject(resource.attributes)
      seen.headers = request.headers
      for (const span of scopeSpans[0].spans) {
        spans.push({ ...span, attributes: toObject(span.attributes) })
      }
    }
    response.writeHead(status).end('{}')
    status = 200
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    get resource() {
      return seen.resource
    },
    get headers() {
      return seen.headers
    },
    failNext(next) {
      status = next
    },
    waitFor: (name) => until(() => spans.find((span) => span.name === name)),
  }
}
