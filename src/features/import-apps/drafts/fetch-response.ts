import type { Egress } from '#server/egress/egress.ts'
import { EgressError } from '#server/egress/egress-error.ts'
import { readUpTo } from '#server/egress/read-body.ts'
import { findHeader, sendRequest } from '#server/egress/send-request.ts'
import { invalid } from '#server/errors.ts'
import { createMask, type Mask } from '#server/runtime/host/mask.ts'
import type { DraftKey, DraftRequest, DraftResponse } from './schema.ts'

const TIMEOUT_MS = 20_000
const MAX_BYTES = 1024 * 1024
const MAX_REDIRECTS = 5

/** Fetches one response of an API by the rules of an app's requests. What comes back never shows the key. */
export async function fetchResponse(
  egress: Egress,
  { url: text, key = {} }: DraftRequest,
  signal: AbortSignal,
): Promise<DraftResponse> {
  const url = parseUrl(text)
  const headers = new Map([
    ['accept', 'application/json'],
    ['accept-encoding', 'identity'],
    ...toHeaders(key),
  ])
  if (key.query) url.searchParams.set(key.query.name, key.query.value)
  const mask = createMask(listSecrets(key))
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const { url: last, response } = await sendRequest(egress, {
      url,
      method: 'GET',
      headers,
      payload: undefined,
      redirect: 'follow',
      maxRedirects: MAX_REDIRECTS,
      signal: AbortSignal.any([signal, timeout]),
      isSecret: (value) => mask(value) !== value,
    })
    const bytes = await readUpTo(last, response.body, MAX_BYTES)
    if (key.query) last.searchParams.delete(key.query.name)
    return {
      url: mask(last.href),
      status: response.statusCode,
      content_type: findHeader(response, 'content-type') ?? '',
      link: mask(findHeader(response, 'link') ?? ''),
      body: mask(new TextDecoder().decode(bytes)),
    }
  } catch (error) {
    signal.throwIfAborted()
    if (timeout.aborted) throw invalid('url', `No response within ${TIMEOUT_MS / 1000} s.`)
    throw error instanceof EgressError ? invalid('url', describe(error, url, mask)) : error
  }
}

function parseUrl(text: string): URL {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw invalid('url', 'Enter an address that begins with https:// or http://.')
  }
  if (url.username || url.password) {
    throw invalid('url', 'Leave user name and password out of the address. Enter them as the key.')
  }
  return url
}

function toHeaders({ bearer, basic, header }: DraftKey): [string, string][] {
  if (bearer !== undefined) return [['authorization', `Bearer ${bearer}`]]
  if (basic) {
    const credentials = Buffer.from(`${basic.user}:${basic.password}`).toString('base64')
    return [['authorization', `Basic ${credentials}`]]
  }
  return header ? [[header.name.toLowerCase(), header.value]] : []
}

const listSecrets = ({ bearer, basic, header, query }: DraftKey): string[] =>
  [bearer, basic?.password, header?.value, query?.value].filter((value) => value !== undefined)

function describe({ kind, message }: EgressError, { hostname }: URL, mask: Mask): string {
  if (kind === 'private-address') {
    return `${hostname} is not a public address. The operator can allow it with HEDGEROW_APP_HOSTS.`
  }
  return mask(message.charAt(0).toUpperCase() + message.slice(1))
}
