import { ApiError, invalid } from '../errors.ts'

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

/** A larger result could not be drawn, and every reader would load it. */
export const MAX_RESULT_LENGTH = 8 * 1024 * 1024

export const resultTooLarge = (): ApiError =>
  invalid(
    'query',
    `The result has more than ${MAX_RESULT_LENGTH / 1024 / 1024} million characters. Select fewer rows, columns or values, or shorter texts.`,
  )
