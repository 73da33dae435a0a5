import { Readable } from 'node:stream'
import type { Agent, Dispatcher } from 'undici'
import type { Egress } from './egress.ts'
import { EgressError } from './egress-error.ts'

/** A request body: a buffer, which can be sent again after a redirect, or a stream, which cannot. */
export type Payload = Buffer | AsyncIterable<Uint8Array> | undefined

export interface OutgoingRequest {
  readonly url: URL
  readonly method: string
  readonly headers: ReadonlyMap<string, string>
  readonly payload: Payload
  readonly redirect: 'follow' | 'manual' | 'error'
  /** The largest number of redirects to follow. */
  readonly maxRedirects: number
  readonly signal: AbortSignal
  /** Whether a header's value must not be sent to another origin. */
  isSecret?(value: string): boolean
  /** The service itself, which is exempt from the address rules. */
  readonly trustedUrl?: URL
}

export interface IncomingResponse {
  readonly url: URL
  readonly wasRedirected: boolean
  /** The method of the last request, since a redirect may change it. */
  readonly method: string
  /** Its headers are raw: names and values in turn. */
  readonly response: Dispatcher.ResponseData
}

interface Hop {
  readonly url: URL
  readonly method: string
  readonly headers: Map<string, string>
  readonly payload: Payload
}

const REDIRECT_STATUSES = [301, 302, 303, 307, 308]
/** OpenSSL's codes of certificates that are not trusted, and of servers that do not speak TLS. */
const TLS_CODES =
  /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|EPROTO)/
const CREDENTIAL_HEADERS = ['authorization', 'cookie', 'cookie2', 'www-authenticate']

/** Sends a request and follows redirects itself, so that every address is checked. Throws an `EgressError`. */
export async function sendRequest(
  egress: Egress,
  request: OutgoingRequest,
): Promise<IncomingResponse> {
  try {
    return await followRedirects(egress, request)
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason
    throw error
  }
}

async function followRedirects(
  egress: Egress,
  request: OutgoingRequest,
): Promise<IncomingResponse> {
  const { url, method, payload } = request
  let hop: Hop = { url, method, headers: withDefaultHeaders(request), payload }
  for (let redirects = 0; ; redirects += 1) {
    const response = await sendHop(egress, hop, request).catch((error) => {
      throw toEgressError(error, hop.url)
    })
    const target = findRedirectTarget(response, hop.url)
    if (!target || request.redirect === 'manual') {
      return { url: hop.url, wasRedirected: redirects > 0, method: hop.method, response }
    }
    await response.body.dump({ limit: 64 * 1024 }).catch(() => {})
    if (request.redirect === 'error') {
      const message = `uri requested responds with a redirect, redirect mode is set to error: ${hop.url}`
      throw new EgressError('redirect', message, { type: 'no-redirect' })
    }
    if (redirects >= request.maxRedirects) {
      const message = `maximum redirect reached at: ${hop.url}`
      throw new EgressError('redirect', message, { type: 'max-redirect' })
    }
    hop = toNextHop(hop, target, response.statusCode, request)
  }
}

function withDefaultHeaders({ url, headers }: OutgoingRequest): Map<string, string> {
  const all = new Map<string, string>([
    ['accept', '*/*'],
    ['accept-encoding', 'gzip,deflate,br'],
    ['user-agent', 'Hedgerow'],
    ...headers,
  ])
  if (url.username && !all.has('authorization')) {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    all.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`)
  }
  return all
}

async function sendHop(
  egress: Egress,
  { url, method, headers, payload }: Hop,
  { signal, trustedUrl }: OutgoingRequest,
): Promise<Dispatcher.ResponseData> {
  const mapped = egress.findMapped(url)
  const isTrusted = mapped !== undefined || url.origin === trustedUrl?.origin
  if (!isTrusted) egress.requireAllowed(url.hostname)
  const agent: Agent = await (isTrusted ? egress.unguardedAgent() : egress.guardedAgent())
  const target = mapped ?? url
  return agent.request({
    origin: target.origin,
    path: target.pathname + target.search,
    method: method as Dispatcher.HttpMethod,
    headers: [...headers].flat(),
    body: payload instanceof Buffer ? payload : payload && Readable.from(payload),
    signal,
    responseHeaders: 'raw',
    bodyTimeout: 0,
    headersTimeout: 0,
  })
}

/** Lists the headers of a response as pairs. */
export function rawHeaders({ headers }: Dispatcher.ResponseData): [name: string, value: string][] {
  const raw = headers as unknown as readonly string[]
  return Array.from({ length: raw.length / 2 }, (_, index) => {
    return [String(raw[2 * index]), String(raw[2 * index + 1])]
  })
}

/** Finds a header of a response; the name is in lower case. */
export const findHeader = (response: Dispatcher.ResponseData, name: string): string | undefined =>
  rawHeaders(response).find(([key]) => key.toLowerCase() === name)?.[1]

function findRedirectTarget(response: Dispatcher.ResponseData, from: URL): URL | undefined {
  if (!REDIRECT_STATUSES.includes(response.statusCode)) return undefined
  const location = findHeader(response, 'location')
  if (location === undefined) return undefined
  const target = URL.parse(location, from)
  if (!target) {
    const message = `uri requested responds with an invalid redirect URL: ${location}`
    throw new EgressError('redirect', message)
  }
  if (target.protocol !== 'http:' && target.protocol !== 'https:') {
    throw new EgressError('redirect', 'Scheme must be either HTTP or HTTPS')
  }
  return target
}

function toNextHop(hop: Hop, target: URL, status: number, { isSecret }: OutgoingRequest): Hop {
  const headers = new Map(hop.headers)
  if (target.origin !== hop.url.origin) {
    for (const [name, value] of hop.headers) {
      if (CREDENTIAL_HEADERS.includes(name) || isSecret?.(value)) headers.delete(name)
    }
  }
  const becomesGet = status === 303 || (status <= 302 && hop.method === 'POST')
  if (becomesGet && hop.method !== 'HEAD') {
    headers.delete('content-type')
    return { url: target, method: 'GET', headers, payload: undefined }
  }
  if (hop.payload && !(hop.payload instanceof Buffer)) {
    const message = 'Cannot follow redirect with body being a readable stream'
    throw new EgressError('redirect', message, { type: 'unsupported-redirect' })
  }
  return { ...hop, url: target, headers }
}

function toEgressError(error: unknown, url: URL): EgressError {
  const { message, code, cause } = error as NodeJS.ErrnoException
  if (error instanceof EgressError) return error
  if (cause instanceof EgressError) return cause
  if (code === 'ENOTFOUND') {
    const text = `Invalid hostname: ${url.hostname}`
    return new EgressError('unknown-host', text, { type: 'system', code })
  }
  if (code === 'UND_ERR_INVALID_ARG') return new EgressError('invalid-argument', message)
  const reason =
    code === 'EAI_AGAIN'
      ? `the name ${url.hostname} could not be resolved just now`
      : message || code || 'the connection broke'
  const text = `request to ${url} failed, reason: ${reason}`
  const kind = TLS_CODES.test(code ?? '') ? 'certificate' : 'network'
  return new EgressError(kind, text, { type: 'system', code })
}
