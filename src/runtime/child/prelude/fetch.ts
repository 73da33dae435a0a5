import { Body, type OutgoingBody, toOutgoingBody } from './body.ts'
import type { Calls } from './calls.ts'
import { FetchError } from './errors.ts'
import { Headers, type HeadersInput } from './headers.ts'
import type { Streams } from './streams.ts'

export interface FetchInit {
  readonly method?: string
  readonly headers?: HeadersInput
  readonly body?: unknown
  readonly redirect?: string
  readonly follow?: number
}

/** The part of a response that the host sends before the body. */
export interface ResponseHead {
  readonly url: string
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [string, string])[]
  readonly redirected: boolean
}

export interface FetchTools {
  readonly calls: Calls
  readonly streams: Streams
  readonly Buffer: typeof Buffer
  readonly URLSearchParams: typeof URLSearchParams
}

export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

export class Request {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: unknown
  readonly redirect: string
  readonly follow: number

  constructor(input: unknown, init: FetchInit = {}) {
    const from = input instanceof Request ? input : undefined
    this.url = from?.url ?? String((input as { href?: unknown } | null)?.href ?? input)
    this.method = String(init.method ?? from?.method ?? 'GET').toUpperCase()
    this.headers = new Headers(init.headers ?? from?.headers)
    this.body = init.body ?? from?.body ?? null
    this.redirect = String(init.redirect ?? from?.redirect ?? 'follow')
    this.follow = Number(init.follow ?? from?.follow ?? 20)
  }
}

export class Response {
  readonly #body: Body
  readonly url: string
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  readonly redirected: boolean

  constructor(body: Body, head: ResponseHead) {
    this.#body = body
    this.url = head.url
    this.status = head.status
    this.statusText = head.statusText
    this.headers = new Headers(head.headers)
    this.redirected = head.redirected
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get body(): AsyncIterable<Uint8Array> {
    return this.#body
  }

  get bodyUsed(): boolean {
    return this.#body.used
  }

  buffer(): Promise<Buffer> {
    return this.#body.readAll()
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const { buffer, byteOffset, byteLength } = await this.#body.readAll()
    return (buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength)
  }

  async text(): Promise<string> {
    const text = (await this.#body.readAll()).toString('utf8')
    return text.startsWith('\ufeff') ? text.slice(1) : text
  }

  async json(): Promise<unknown> {
    const text = await this.text()
    try {
      return JSON.parse(text)
    } catch (error) {
      throw new FetchError(
        `invalid json response body at ${this.url} reason: ${(error as Error).message}`,
        'invalid-json',
      )
    }
  }
}

export type Fetch = (input: unknown, init?: FetchInit) => Promise<Response>

export function createFetch(tools: FetchTools): Fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const body = toOutgoingBody(request.body, tools.Buffer, tools.URLSearchParams)
    if (body && (request.method === 'GET' || request.method === 'HEAD')) {
      throw new TypeError('Request with GET/HEAD method cannot have body')
    }
    if (body?.type && !request.headers.has('content-type')) {
      request.headers.set('content-type', body.type)
    }
    const { url, method, redirect, follow } = request
    const headers = [...request.headers]
    return requestFromHost(tools, 'fetch', { url, method, headers, redirect, follow }, body)
  }
}

/** Lets the host send a request. The response's body has the call's ID as its stream, the request's body another. */
export async function requestFromHost(
  { calls, streams, Buffer: BufferClass }: Pick<FetchTools, 'calls' | 'streams' | 'Buffer'>,
  callName: 'fetch' | 'api',
  request: object,
  body: OutgoingBody | undefined,
): Promise<Response> {
  const [stream, upload] = [calls.nextId(), calls.nextId()]
  streams.open(stream)
  try {
    const sent = body ? { stream: upload, length: body.length ?? null } : null
    const response = calls.callAs<ResponseHead>(stream, callName, { ...request, body: sent })
    if (body) void streams.write(upload, body.source)
    const head = await response
    return new Response(new Body(() => streams.read(stream), BufferClass, head.url), head)
  } catch (error) {
    streams.discard(stream)
    throw error
  }
}
