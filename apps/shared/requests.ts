import type { App, FetchResponse } from './app.ts'
import { isTemporary, retry, TemporaryProblem } from './retries.ts'

export type Requester = Pick<App, 'fetch' | 'meta' | 'log'>

type RequestHeaders = Readonly<Record<string, string>>

/** Retries with backoff while the server is busy or failing. The caller checks any other response. */
export const request = (
  app: Requester,
  url: string,
  headers: RequestHeaders,
): Promise<FetchResponse> => requestAndRead(app, url, headers, async (response) => response)

/** Reads the response within the retry, so that one that breaks off is requested again. */
export const requestAndRead = <T>(
  app: Requester,
  url: string,
  headers: RequestHeaders,
  read: (response: FetchResponse) => Promise<T>,
): Promise<T> =>
  retry(app, async () => {
    const response = await app.fetch(url, { headers }).catch((error) => {
      throw toProblem(url, error)
    })
    if (isBusy(response.status)) {
      await discard(response)
      throw new TemporaryProblem(
        `${withoutQuery(url)} returned ${status(response)}`,
        toDelay(response.headers.get('retry-after')),
      )
    }
    return read(response).catch((error) => {
      throw isTemporary(error) ? new TemporaryProblem(error.message) : error
    })
  })

/** Ends a response that is not read, which would hold its connection until the run ends. */
export async function discard({ body }: FetchResponse): Promise<void> {
  for await (const _ of body ?? []) break
}

/** Describes an error response for the log. */
export async function describeError(url: string, response: FetchResponse): Promise<string> {
  const text = (await response.text().catch(() => '')).replace(/\s+/g, ' ').trim().slice(0, 200)
  const body = text === '' ? '' : ` Response: ${text}`
  return `${withoutQuery(url)} returned ${status(response)}.${body}`
}

/** Removes the query, which may hold keys. */
export const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '')

function toProblem(url: string, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error)
  const reason = message.replace(/^request to .* failed, reason: /s, '')
  if (!isTemporary(error)) return new Error(`${withoutQuery(url)} cannot be requested: ${reason}.`)
  return error.name === 'TimeoutError'
    ? new TemporaryProblem(`${withoutQuery(url)} did not respond in time`)
    : new TemporaryProblem(`${withoutQuery(url)} could not be reached (${reason})`)
}

const isBusy = (code: number): boolean => code === 429 || code >= 500

const status = ({ status: code, statusText }: FetchResponse): string =>
  statusText ? `${code} ${statusText}` : String(code)

/** Parses `Retry-After`, which is a number of seconds or a date. */
function toDelay(retryAfter: string | null): number | undefined {
  if (!retryAfter) return undefined
  const requested = /^\d+$/.test(retryAfter.trim())
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter) - Date.now()
  return Number.isNaN(requested) ? undefined : Math.max(requested, 0)
}
