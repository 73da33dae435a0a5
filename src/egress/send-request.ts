import { Readable } from 'node:stream'
import type { Agent, Dispatcher } from 'undici'
import { CallFailure, fetchError } from '../runtime/host/call-error.ts'
import type { FetchRequest } from '../runtime/host/fetch/fetch-request.ts'
import type { Egress } from './egress.ts'

/** What is sent: whole, and then also to where a redirect leads, or once as it comes. */
export type Payload = Buffer | AsyncIterable<Uint8Array> | undefined

export interface Exchange {
  readonly egress: Egress
  readonly question: FetchRequest
  readonly payload: Payload
  readonly signal: AbortSignal
  /** Whether a header must not be shown to whom a redirect leads to. */
  isSecret(value: string): boolean
  /** Exempt from the rules of addresses: the service itself. */
  readonly trusted?: URL
}

export interface Answered {
  readonly url: URL
  readonly redirected: boolean
  readonly method: string
  readonly response: Dispatcher.ResponseData
}

interface Hop {
  readonly url: URL
  readonly method: string
  readonly headers: Map<string, string>
  readonly payload: Payload
}

const REDIRECTS = [301, 302, 303, 307, 308]
const CREDENTIALS = ['authorization', 'cookie', 'cookie2', 'www-authenticate']

/** Asks, and asks again wherever it is sent to: every address is judged, every hop by hand. */
export async function sendRequest(options: Exchange): Promise<Answered> {
  try {
    return await goFromHopToHop(options)
  } catch (error) {
    throw toProblem(error, options.question.url)
  }
}

async function goFromHopToHop(options: Exchange): Promise<Answered> {
  const { question, payload } = options
  let hop: Hop = {
    url: question.url,
    method: question.method,
    headers: withDefaults(question),
    payload,
  }
  for (let redirects = 0; ; redirects += 1) {
    const response = await send(hop, options)
    const to = findRedirect(response, hop.url)
    if (!to || question.redirect === 'manual') {
      return { url: hop.url, redirected: redirects > 0, method: hop.method, response }
    }
    await response.body.dump({ limit: 64 * 1024 }).catch(() => {})
    if (question.redirect === 'error') {
      throw fetchError(
        `uri requested responds with a redirect, redirect mode is set to error: ${hop.url}`,
        'no-redirect',
      )
    }
    if (redirects >= question.follow) {
      throw fetchError(`maximum redirect reached at: ${hop.url}`, 'max-redirect')
    }
    hop = follow(hop, to, response.statusCode, options)
  }
}

function withDefaults({ url, headers }: FetchRequest): Map<string, string> {
  const all = new Map<string, string>([
    ['accept', '*/*'],
    ['accept-encoding', 'gzip,deflate,br'],
    ['user-agent', 'Hedgerow'],
    ...headers,
  ])
  if (url.username && !all.has('authorization')) {
    const who = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    all.set('authorization', `Basic ${Buffer.from(who).toString('base64')}`)
  }
  return all
}

async function send(
  { url, method, headers, payload }: Hop,
  { egress, signal, trusted }: Exchange,
): Promise<Dispatcher.ResponseData> {
  const mapped = egress.mapped(url)
  const isFree = mapped !== undefined || url.origin === trusted?.origin
  if (!isFree) egress.requireAllowed(url.hostname)
  const agent: Agent = await (isFree ? egress.free() : egress.guarded())
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

function findRedirect(
  { statusCode, headers }: Dispatcher.ResponseData,
  from: URL,
): URL | undefined {
  if (!REDIRECTS.includes(statusCode)) return undefined
  const raw = headers as unknown as readonly string[]
  const at = raw.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'location')
  const location = at === -1 ? undefined : raw[at + 1]
  if (location === undefined) return undefined
  const to = URL.parse(location, from)
  if (!to) throw fetchError(`uri requested responds with an invalid redirect URL: ${location}`)
  if (to.protocol !== 'http:' && to.protocol !== 'https:') {
    throw fetchError('Scheme must be either HTTP or HTTPS')
  }
  return to
}

function follow(hop: Hop, to: URL, status: number, { isSecret }: Exchange): Hop {
  const headers = new Map(hop.headers)
  if (to.origin !== hop.url.origin) {
    for (const [name, value] of hop.headers) {
      if (CREDENTIALS.includes(name) || isSecret(value)) headers.delete(name)
    }
  }
  const becomesGet = status === 303 || (status <= 302 && hop.method === 'POST')
  if (becomesGet && hop.method !== 'HEAD') {
    headers.delete('content-type')
    return { url: to, method: 'GET', headers, payload: undefined }
  }
  if (hop.payload && !(hop.payload instanceof Buffer)) {
    throw fetchError(
      'Cannot follow redirect with body being a readable stream',
      'unsupported-redirect',
    )
  }
  return { ...hop, url: to, headers }
}

/** The words of node-fetch, for apps that look into them. */
function toProblem(error: unknown, url: URL): CallFailure {
  const { message, code, cause } = error as NodeJS.ErrnoException
  if (error instanceof CallFailure) return error
  if (cause instanceof CallFailure) return cause
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return fetchError('Invalid hostname', 'system', code)
  if (code === 'UND_ERR_INVALID_ARG') return new CallFailure('TypeError', message)
  const reason = message || code || 'the connection broke'
  return fetchError(`request to ${url} failed, reason: ${reason}`, 'system', code)
}
