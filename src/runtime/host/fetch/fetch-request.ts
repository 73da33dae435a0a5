import { CallFailure, fetchError } from '../call-error.ts'

/** A validated request of an app's `fetch`. */
export interface FetchRequest {
  readonly url: URL
  readonly method: string
  readonly headers: ReadonlyMap<string, string>
  readonly redirect: 'follow' | 'manual' | 'error'
  readonly maxRedirects: number
  readonly body: FetchBody | undefined
}

export interface FetchBody {
  readonly stream: number
  /** undefined if it is not known before the body is sent. */
  readonly length: number | undefined
}

export const MAX_REDIRECTS = 20

/** No server takes a longer one, and parsing it takes time. */
export const MAX_URL_LENGTH = 64 * 1024
const MAX_HEADERS_LENGTH = 64 * 1024
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that must not be in a value
const BAD_VALUE = /[\x00\r\n]/

/** Headers that belong to the connection, which is the host's. An app's values are dropped. */
const CONNECTION_HEADERS = new Set([
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

const typeError = (message: string): CallFailure => new CallFailure('TypeError', message)

export function toFetchRequest(args: unknown): FetchRequest {
  const fields = (args ?? {}) as Fields
  const { redirect, follow } = fields
  return {
    url: toFetchUrl(fields.url),
    method: toMethod(fields.method),
    headers: toHeaders(fields.headers),
    redirect: redirect === 'manual' || redirect === 'error' ? redirect : 'follow',
    maxRedirects: typeof follow === 'number' ? Math.min(follow, MAX_REDIRECTS) : MAX_REDIRECTS,
    body: toRequestBody(fields.body),
  }
}

export function toFetchUrl(value: unknown): URL {
  const isShort = typeof value === 'string' && value.length <= MAX_URL_LENGTH
  const url = isShort ? URL.parse(value) : null
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
    throw typeError(`The method '${method}' is not allowed.`)
  }
  return method
}

export function toHeaders(value: unknown): Map<string, string> {
  const headers = new Map<string, string>()
  let length = 0
  for (const pair of Array.isArray(value) ? value : []) {
    const [name, text] = Array.isArray(pair) ? pair.map(String) : []
    if (name === undefined || !TOKEN.test(name)) {
      throw typeError(`'${name}' is not a valid header name.`)
    }
    if (text === undefined || BAD_VALUE.test(text)) {
      throw typeError(`The header '${name}' has an invalid value.`)
    }
    length += name.length + text.length
    if (length > MAX_HEADERS_LENGTH) throw typeError('The headers are too large.')
    if (!CONNECTION_HEADERS.has(name.toLowerCase())) headers.set(name.toLowerCase(), text)
  }
  return headers
}

export function toRequestBody(value: unknown): FetchBody | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { stream, length } = value as Fields
  if (!Number.isSafeInteger(stream)) throw typeError('The body has no stream.')
  const isKnown = Number.isSafeInteger(length) && Number(length) >= 0
  return { stream: Number(stream), length: isKnown ? Number(length) : undefined }
}
