import type { AppError, CallError } from '#server/runtime/wire/protocol.ts'

export class RetryError extends Error {
  _attempt: number | undefined
  _maxAttempts: number | undefined

  constructor(message?: string) {
    super(message)
    this.name = 'RetryError'
  }

  get nameWithAttempts(): string {
    return this._attempt && this._maxAttempts
      ? `${this.name} (attempt ${this._attempt}/${this._maxAttempts})`
      : this.name
  }
}

/** A `RetryError`, because upstream retries after a timeout. */
export class TimeoutError extends RetryError {
  readonly isTemporary = true

  constructor(message?: string) {
    super(message)
    this.name = 'TimeoutError'
  }
}

export class FetchError extends Error {
  readonly type: string | undefined
  readonly code: string | undefined
  readonly errno: string | undefined
  /** Whether the same request may succeed later. */
  readonly isTemporary: boolean

  constructor(message: string, type?: string, code?: string, isTemporary = false) {
    super(message)
    this.name = 'FetchError'
    this.type = type
    this.code = code
    this.errno = code
    this.isTemporary = isTemporary
  }
}

export function fromCallError({ name, message, type, code, isTemporary }: CallError): Error {
  if (name === 'FetchError') return new FetchError(message, type, code, isTemporary)
  if (name === 'TimeoutError') return new TimeoutError(message)
  if (name === 'TypeError') return new TypeError(message)
  return Object.assign(new Error(message), { code, isTemporary: isTemporary ?? false })
}

/** Converts a thrown value, which may be anything and may itself throw when it is read. */
export function toAppError(thrown: unknown): AppError {
  try {
    if (typeof thrown !== 'object' || thrown === null) {
      const text = String(thrown)
      return { name: 'Error', message: text, stack: text, retry: false, temporary: false }
    }
    const { name, message, stack, isTemporary } = thrown as Partial<FetchError>
    const retry = thrown instanceof RetryError || name === 'RetryError'
    return {
      name: String(name ?? 'Error'),
      message: String(message ?? thrown),
      stack: toAppStack(String(stack ?? `${name ?? 'Error'}: ${message ?? thrown}`)),
      retry,
      temporary: retry || isTemporary === true,
    }
  } catch {
    return { name: 'Error', message: 'unknown', stack: 'unknown', retry: false, temporary: false }
  }
}

/** Removes stack frames that are not the app's, since its author cannot change them. */
const toAppStack = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => !/^\s+at /.test(line) || line.includes('index.js:'))
    .join('\n')
