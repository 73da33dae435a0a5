import type { Readable } from 'node:stream'
import type { Egress } from './egress.ts'
import { EgressError } from './egress-error.ts'
import { rawHeaders, sendRequest } from './send-request.ts'

export interface GuardedFetchOptions {
  /** The origin that the operator has chosen, which may be private. */
  readonly trustedUrl: URL
  readonly timeoutMs: number
  readonly maxBytes: number
}

export interface GuardedFetchInit {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/** Creates a `fetch` for libraries that accept one. It checks addresses, follows no redirects and limits bodies. */
export function createGuardedFetch(
  egress: Egress,
  { trustedUrl, timeoutMs, maxBytes }: GuardedFetchOptions,
): (url: string, init: GuardedFetchInit) => Promise<Response> {
  return async (url, { method, headers, body, signal }) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const { response } = await sendRequest(egress, {
      url: new URL(url),
      method,
      headers: new Map([...Object.entries(headers), ['accept-encoding', 'identity']]),
      payload: body === undefined || body === null ? undefined : Buffer.from(String(body)),
      redirect: 'manual',
      maxRedirects: 0,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      trustedUrl,
    })
    const bytes = await readUpTo(response.body, maxBytes)
    return new Response(bytes.length === 0 ? null : bytes, {
      status: response.statusCode,
      headers: rawHeaders(response),
    })
  }
}

/** Throws `tooLarge` before it has read more than the limit. */
export async function readUpTo(
  body: Readable,
  maxBytes: number,
  tooLarge = (): Error =>
    new EgressError('network', `the response is larger than ${maxBytes} bytes`),
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
