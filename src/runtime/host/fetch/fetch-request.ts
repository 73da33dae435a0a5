import { CallFailure, fetchError } from '../call-error.ts'

/** What an app wants to be fetched, as checked. */
export interface FetchRequest {
  readonly url: URL
  readonly method: string
  readonly headers: ReadonlyMap<string, string>
  readonly redirect: 'follow' | 'manual' | 'error'
  readonly follow: number
  readonly body: FetchRequestBody | undefined
}

export interface FetchRequestBody {
  readonly stream: number
  /** undefined: not known before it is sent. */
  readonly length: number | undefined
}

export const MAX_REDIRECTS = 20

const MAX_HEADERS = 64 * 1024
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in there
const BAD_VALUE = /[\x00\r\n]/

/** They are of the connection, and that is not the app's. */
const OURS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

type Fields = Readonly<Record<string, unknown>>

const wrong = (message: string): CallFailure => new CallFailure('TypeError', message)

export function toFetchRequest(asked: unknown): FetchRequest {
  const fields = (asked ?? {}) as Fields
  const { redirect, follow } = fields
  return {
    url: toUrl(fields.url),
    method: toMethod(fields.method),
    headers: toHeaders(fields.headers),
    redirect: redirect === 'manual' || redirect === 'error' ? redirect : 'follow',
    follow: typeof follow === 'number' ? Math.min(follow, MAX_REDIRECTS) : MAX_REDIRECTS,
    body: toBody(fields.body),
  }
}

export function toUrl(value: unknown): URL {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (!url || !isDecodable(url.username + url.password)) throw fetchError('Invalid URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw fetchError('Scheme must be either HTTP or HTTPS')
  }
  if (!url.hostname) throw fetchError('No hostname')
  return url
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}

export function toMethod(value: unknown): string {
  const method = String(value).toUpperCase()
  if (!TOKEN.test(method) || method === 'CONNECT' || method === 'TRACE') {
    throw wrong(`'${method}' is not a method that can be used.`)
  }
  return method
}

export function toHeaders(value: unknown): Map<string, string> {
  const headers = new Map<string, string>()
  let size = 0
  for (const pair of Array.isArray(value) ? value : []) {
    const [name, text] = Array.isArray(pair) ? pair.map(String) : []
    if (name === undefined || !TOKEN.test(name)) throw wrong(`'${name}' is not a header's name.`)
    if (text === undefined || BAD_VALUE.test(text))
      throw wrong(`The header '${name}' has a bad value.`)
    size += name.length + text.length
    if (size > MAX_HEADERS) throw wrong('The headers are too large.')
    if (!OURS.has(name.toLowerCase())) headers.set(name.toLowerCase(), text)
  }
  return headers
}

export function toBody(value: unknown): FetchRequestBody | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { stream, length } = value as Fields
  if (!Number.isSafeInteger(stream)) throw wrong('The body has no stream.')
  const isKnown = Number.isSafeInteger(length) && Number(length) >= 0
  return { stream: Number(stream), length: isKnown ? Number(length) : undefined }
}
