import type { App, FetchOptions, FetchResponse } from './app.ts'
import { isTemporary, retry, TemporaryProblem } from './retries.ts'

export type Requester = Pick<App, 'fetch' | 'meta' | 'log'>

type RequestHeaders = Readonly<Record<string, string>>

/** Retries with backoff while the server is busy or failing. The caller checks any other response. */
export const request = (
  app: Requester,
  url: string,
  headers: RequestHeaders,
): Promise<FetchResponse> => requestAndRead(app, url, { headers }, async (response) => response)

/** Reads the response within the retry, so that one that breaks off is requested again. */
export const requestAndRead = <T>(
  app: Requester,
  url: string,
  options: FetchOptions,
  read: (response: FetchResponse) => Promise<T>,
): Promise<T> =>
  retry(app, async () => {
    const response = await app.fetch(url, options).catch((error) => {
      throw toProblem(url, error)
    })
    if (isBusy(response.status)) {
      const body = await readStart(response)
      const shown = body === '' ? '' : ` (${body})`
      throw toTemporary(`${withoutQuery(url)} returned ${status(response)}${shown}`, response)
    }
    return read(response).catch((error) => {
      throw isTemporary(error) ? new TemporaryProblem(error.message) : error
    })
  })

/** Returns a problem that may go away, after the delay that the response asks for. */
export const toTemporary = (message: string, { headers }: FetchResponse): TemporaryProblem =>
  new TemporaryProblem(message, toDelay(headers.get('retry-after')))

/** Ends a response that is not read, which would hold its connection until the run ends. */
export async function discard({ body }: FetchResponse): Promise<void> {
  for await (const _ of body ?? []) break
}

/** Describes an error response for the log. */
export const describeError = async (url: string, response: FetchResponse): Promise<string> =>
  describeResponse(url, response, await response.text().catch(() => ''))

export function describeResponse(url: string, response: FetchResponse, text: string): string {
  const shown = toShown(text)
  const body = shown === '' ? '' : ` Response: ${shown}`
  return `${withoutQuery(url)} returned ${status(response)}.${body}`
}

const MAX_SHOWN = 200

/** Returns the start of a response, for messages. */
export const toShown = (text: string): string =>
  text.replace(/\s+/g, ' ').trim().slice(0, MAX_SHOWN)

/** Reads the start of a response, and ends it. */
async function readStart({ body }: FetchResponse): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  try {
    for await (const piece of body ?? []) {
      pieces.push(piece)
      length += piece.length
      if (length >= MAX_SHOWN * 4) break
    }
  } catch {
    // what arrived before it broke off is shown
  }
  return toShown(Buffer.concat(pieces).toString())
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
