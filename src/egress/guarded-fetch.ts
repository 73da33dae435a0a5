import type { Egress } from './egress.ts'
import { readUpTo } from './read-body.ts'
import { rawHeaders, sendRequest } from './send-request.ts'

export interface GuardedFetchOptions {
  /** The origin that the operator has chosen, which may be private. */
  readonly trustedUrl?: URL
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
    const { url: responseUrl, response } = await sendRequest(egress, {
      url: new URL(url),
      method,
      headers: new Map([...Object.entries(headers), ['accept-encoding', 'identity']]),
      payload: body === undefined || body === null ? undefined : Buffer.from(String(body)),
      redirect: 'manual',
      maxRedirects: 0,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(trustedUrl && { trustedUrl }),
    })
    const bytes = await readUpTo(responseUrl, response.body, maxBytes)
    return new Response(bytes.length === 0 ? null : bytes, {
      status: response.statusCode,
      headers: rawHeaders(response),
    })
  }
}
