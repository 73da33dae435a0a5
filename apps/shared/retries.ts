import type { App } from './app.ts'

const MAX_ATTEMPTS = 6
const FIRST_DELAY_MS = 1000
/** A longer delay is left to the next run. */
const MAX_DELAY_MS = 10 * 60_000
/** The limit of one call of `sleep`. */
const MAX_SLEEP_MS = 20_000

type Waiting = Pick<App, 'meta' | 'log'>

/** A problem that may go away. Its message is a sentence without a period. */
export class TemporaryProblem extends Error {
  /** The delay that the other side asks for. */
  readonly delayMs: number | undefined

  constructor(message: string, delayMs?: number) {
    super(message)
    this.delayMs = delayMs
  }
}

/** Tells whether the runtime says that the same call may succeed later. */
export const isTemporary = (error: unknown): error is Error =>
  error instanceof Error && (error as { isTemporary?: unknown }).isTemporary === true

/** Repeats the work, with longer and longer pauses, while it throws a `TemporaryProblem`. */
export async function retry<T>(app: Waiting, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof TemporaryProblem)) throw error
      await pause(app, error, attempt)
    }
  }
}

/** Waits before the next attempt. Throws if there is none. */
export async function pause(
  app: Waiting,
  { message, delayMs }: TemporaryProblem,
  attempt: number,
): Promise<void> {
  const wait = delayMs ?? FIRST_DELAY_MS * 2 ** (attempt - 1)
  if (attempt === MAX_ATTEMPTS || wait > MAX_DELAY_MS) {
    const reason =
      wait > MAX_DELAY_MS ? `and asks to wait ${seconds(wait)}` : `${attempt} times in a row`
    const text = `${message}, ${reason}. The next run continues from here.`
    throw Object.assign(new Error(text), { isTemporary: true })
  }
  app.log.warn(`${message}. Retrying in ${seconds(wait)}.`)
  for (let left = wait; left > 0; left -= MAX_SLEEP_MS) {
    await app.meta.utils.sleep(Math.min(left, MAX_SLEEP_MS))
  }
}

const seconds = (milliseconds: number): string => `${Math.ceil(milliseconds / 1000)} s`
