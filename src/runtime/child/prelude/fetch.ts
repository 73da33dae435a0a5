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

/** What the parent says of an answer before its body. */
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

  constructor(body: Body, answer: ResponseHead) {
    this.#body = body
    this.url = answer.url
    this.status = answer.status
    this.statusText = answer.statusText
    this.headers = new Headers(answer.headers)
    this.redirected = answer.redirected
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
    return this.#body.whole()
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const { buffer, byteOffset, byteLength } = await this.#body.whole()
    return (buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength)
  }

  async text(): Promise<string> {
    const text = (await this.#body.whole()).toString('utf8')
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
    const question = {
      url: request.url,
      method: request.method,
      headers: [...request.headers],
      redirect: request.redirect,
      follow: request.follow,
    }
    return requestFromHost(tools, 'fetch', question, body)
  }
}

/** The answer's body flows in a stream under the call's own id, the question's under another. */
export async function requestFromHost(
  { calls, streams, Buffer: BufferClass }: Pick<FetchTools, 'calls' | 'streams' | 'Buffer'>,
  name: string,
  question: object,
  body: OutgoingBody | undefined,
): Promise<Response> {
  const [stream, upload] = [calls.nextId(), calls.nextId()]
  streams.open(stream)
  try {
    const sent = body ? { stream: upload, length: body.length ?? null } : null
    const asked = calls.callAs<ResponseHead>(stream, name, { ...question, body: sent })
    if (body) void streams.write(upload, body.source)
    const answer = await asked
    return new Response(new Body(() => streams.read(stream), BufferClass, answer.url), answer)
  } catch (error) {
    streams.discard(stream)
    throw error
  }
}
