import type { App, FetchResponse } from './app.ts'

const MAX_ATTEMPTS = 6
const FIRST_DELAY_MS = 1000
/** A longer delay is left to the next run. */
const MAX_DELAY_MS = 10 * 60_000
/** The limit of one call of `sleep`. */
const MAX_SLEEP_MS = 20_000
/** Errors of the runtime that a retry would not fix. */
const PERMANENT_ERROR = /hostname|scheme|invalid url|must be (?:http|either)/i

type Requester = Pick<App, 'fetch' | 'meta' | 'log'>

/** Retries with backoff while the server is busy or failing. The caller checks any other response. */
export async function request(
  app: Requester,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<FetchResponse> {
  for (let attempt = 1; ; attempt += 1) {
    const { response, problem } = await tryRequest(app, url, headers)
    if (response && !isBusy(response.status)) return response
    const wait = toDelay(attempt, response?.headers.get('retry-after'))
    if (attempt === MAX_ATTEMPTS || wait > MAX_DELAY_MS)
      throw toFinalError(url, problem, attempt, wait)
    if (response) await discard(response)
    app.log.warn(`${withoutQuery(url)} ${problem}. Retrying in ${seconds(wait)}.`)
    await sleep(app, wait)
  }
}

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

async function tryRequest(
  app: Requester,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ response?: FetchResponse; problem: string }> {
  try {
    const response = await app.fetch(url, { headers })
    return { response, problem: `returned ${status(response)}` }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const problem = message.replace(/^request to .* failed, reason: /s, '')
    if (PERMANENT_ERROR.test(problem))
      throw new Error(`${withoutQuery(url)} cannot be requested: ${problem}.`)
    return { problem: `could not be reached (${problem})` }
  }
}

const isBusy = (code: number): boolean => code === 429 || code >= 500

const status = ({ status: code, statusText }: FetchResponse): string =>
  statusText ? `${code} ${statusText}` : String(code)

function toFinalError(url: string, problem: string, attempts: number, wait: number): Error {
  const reason =
    wait > MAX_DELAY_MS ? `and asks to wait ${seconds(wait)}` : `${attempts} times in a row`
  return new Error(`${withoutQuery(url)} ${problem}, ${reason}. The next run continues from here.`)
}

/** Parses `Retry-After`, which is a number of seconds or a date. */
function toDelay(attempt: number, retryAfter: string | null | undefined): number {
  const backOff = FIRST_DELAY_MS * 2 ** (attempt - 1)
  if (!retryAfter) return backOff
  const requested = /^\d+$/.test(retryAfter.trim())
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter) - Date.now()
  return Number.isNaN(requested) ? backOff : Math.max(requested, 0)
}

const seconds = (milliseconds: number): string => `${Math.ceil(milliseconds / 1000)} s`

async function sleep({ meta }: Requester, milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= MAX_SLEEP_MS) {
    await meta.utils.sleep(Math.min(left, MAX_SLEEP_MS))
  }
}
