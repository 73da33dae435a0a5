import { toCallError } from './call-error.ts'

/** A request that failed in a way that may pass. */
export interface Trouble {
  /** The wait that the server asks for, or undefined. */
  readonly retryAfterMs: number | undefined
}

/** Remembers the latest trouble with a remote server, until a request of the same URL succeeds. */
export interface Remote {
  readonly trouble: Trouble | undefined
  recordResponse(url: URL, status: number, retryAfter: string | undefined): void
  recordFailure(url: URL, error: unknown, retryAfterMs?: number): void
}

export function createRemote(): Remote {
  let latest: (Trouble & { readonly href: string }) | undefined
  return {
    get trouble() {
      return latest
    },
    recordResponse({ href }, status, retryAfter) {
      if (status === 429 || status >= 500) {
        latest = { href, retryAfterMs: parseRetryAfter(retryAfter, Date.now()) }
      } else if (latest?.href === href) latest = undefined
    },
    recordFailure({ href }, error, retryAfterMs) {
      if (toCallError(error)?.isTemporary) latest = { href, retryAfterMs }
    },
  }
}

/** Parses `Retry-After`, which is a number of seconds or a date. Returns milliseconds from `time`. */
export function parseRetryAfter(header: string | undefined, time: number): number | undefined {
  const text = header?.trim() ?? ''
  if (text === '') return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - time
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}
