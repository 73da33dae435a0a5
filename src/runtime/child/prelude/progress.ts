import type { FromApp } from '#server/runtime/process/protocol.ts'

/** In ms. An app may tell its progress with every row; what is between is of no use to anybody. */
const EVERY = 100

export interface ProgressReporter {
  report(done: unknown, total?: unknown, message?: unknown): void
  /** Passes on what was told last. */
  flush(): void
}

export function createProgress(send: (message: FromApp) => void): ProgressReporter {
  const { now } = Date
  let latest: readonly [unknown, unknown, unknown] | undefined
  let sentAt = 0

  function flush(): void {
    if (!latest) return
    const [done, total, message] = latest
    latest = undefined
    sentAt = now()
    const known = typeof total === 'number' && Number.isFinite(total) ? total : null
    send({ t: 'progress', done: Number(done) || 0, total: known, message: String(message ?? '') })
  }

  return {
    report(done, total, message) {
      latest = [done, total, message]
      if (now() - sentAt >= EVERY) flush()
    },
    flush,
  }
}
