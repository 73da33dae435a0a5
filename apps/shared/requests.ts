import type { App, FetchAnswer } from './app.ts'

const ATTEMPTS = 6
const FIRST_WAIT = 1000
/** Longer than this is for the next run. */
const LONGEST_WAIT = 10 * 60_000
/** What one call of `sleep` may take. */
const SLEEP_AT_A_TIME = 20_000
/** The runtime's refusals of an address: the next attempt would end the same way. */
const REFUSED = /hostname|scheme|invalid url|must be (?:http|either)/i

type Requester = Pick<App, 'fetch' | 'meta' | 'log'>

/** Asks again, later and later, while the server is busy or failing. Any other answer is for the caller to judge. */
export async function request(
  app: Requester,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<FetchAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const { answer, problem } = await ask(app, url, headers)
    if (answer && !isBusy(answer.status)) return answer
    const wait = waitBefore(attempt, answer?.headers.get('retry-after'))
    if (attempt === ATTEMPTS || wait > LONGEST_WAIT) throw giveUp(url, problem, attempt, wait)
    if (answer) await discard(answer)
    app.log.warn(`${shown(url)} ${problem}. Asking again in ${seconds(wait)}.`)
    await sleep(app, wait)
  }
}

/** An answer that nobody reads would hold its connection until the run ends. */
export async function discard({ body }: FetchAnswer): Promise<void> {
  for await (const _ of body ?? []) break
}

/** What an answer that cannot be used says about itself. */
export async function describeRefusal(url: string, answer: FetchAnswer): Promise<string> {
  const text = (await answer.text().catch(() => '')).replace(/\s+/g, ' ').trim().slice(0, 200)
  const said = text === '' ? '' : ` It said: ${text}`
  return `${shown(url)} answered ${status(answer)}.${said}`
}

/** Without the query, which may hold keys. */
export const shown = (url: string): string => url.replace(/[?#].*$/s, '')

async function ask(
  app: Requester,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ answer?: FetchAnswer; problem: string }> {
  try {
    const answer = await app.fetch(url, { headers })
    return { answer, problem: `answered ${status(answer)}` }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const problem = message.replace(/^request to .* failed, reason: /s, '')
    if (REFUSED.test(problem)) throw new Error(`${shown(url)} cannot be asked: ${problem}.`)
    return { problem: `could not be reached (${problem})` }
  }
}

const isBusy = (code: number): boolean => code === 429 || code >= 500

const status = ({ status: code, statusText }: FetchAnswer): string =>
  statusText ? `${code} ${statusText}` : String(code)

function giveUp(url: string, problem: string, attempts: number, wait: number): Error {
  const why =
    wait > LONGEST_WAIT
      ? `and wants to be left alone for ${seconds(wait)}`
      : `${attempts} times in a row`
  return new Error(
    `${shown(url)} ${problem}, ${why}. What came in before is kept; the next run goes on from there.`,
  )
}

/** `Retry-After` is in seconds or a date. */
function waitBefore(attempt: number, retryAfter: string | null | undefined): number {
  const backOff = FIRST_WAIT * 2 ** (attempt - 1)
  if (!retryAfter) return backOff
  const asked = /^\d+$/.test(retryAfter.trim())
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter) - Date.now()
  return Number.isNaN(asked) ? backOff : Math.max(asked, 0)
}

const seconds = (milliseconds: number): string => `${Math.ceil(milliseconds / 1000)} s`

async function sleep({ meta }: Requester, milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= SLEEP_AT_A_TIME) {
    await meta.utils.sleep(Math.min(left, SLEEP_AT_A_TIME))
  }
}
