import { ApiError } from '../errors.ts'

/** The timeout of a statement that sets none. */
export const DEFAULT_TIMEOUT_MS = 60_000

export const queryTimeout = (timeoutMs: number): ApiError =>
  new ApiError(
    'unavailable',
    `The query took more than ${timeoutMs / 1000} s and was stopped. Ask for a shorter time, fewer events or fewer values.`,
  )

export const outOfMemory = (): ApiError =>
  new ApiError(
    'unavailable',
    'The query needs more memory than it may have. Ask for a shorter time, fewer events or fewer values.',
  )
