import { ApiError } from '../errors.ts'

/** The timeout of a statement that sets none. */
export const DEFAULT_TIMEOUT_MS = 60_000

/** An error of the query itself: running it again immediately would fail in the same way. */
export class HeavyQueryError extends ApiError {
  constructor(detail: string) {
    super('unavailable', detail)
  }
}

export const queryTimeout = (timeoutMs: number): ApiError =>
  new HeavyQueryError(
    `The query took more than ${timeoutMs / 1000} s and was stopped. Choose a shorter date range, fewer events or fewer values.`,
  )

export const outOfMemory = (): ApiError =>
  new HeavyQueryError(
    'The query needs more memory than it may have. Choose a shorter date range, fewer events or fewer values.',
  )
