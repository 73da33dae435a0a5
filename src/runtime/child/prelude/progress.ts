import type { FromApp } from '#server/runtime/wire/protocol.ts'

/** An app may report progress with every row; sending each report would only cost time. */
const INTERVAL_MS = 100

export interface ProgressReporter {
  report(done: unknown, total?: unknown, message?: unknown): void
  /** Sends the latest report. */
  flush(): void
}

export function createProgressReporter(send: (message: FromApp) => void): ProgressReporter {
  const { now } = Date
  let latest: readonly [unknown, unknown, unknown] | undefined
  let sentAt = 0

  function flush(): void {
    if (!latest) return
    const [done, total, message] = latest
    latest = undefined
    sentAt = now()
    send({
      t: 'progress',
      done: Number(done) || 0,
      total: typeof total === 'number' && Number.isFinite(total) ? total : null,
      message: String(message ?? ''),
    })
  }

  return {
    report(done, total, message) {
      latest = [done, total, message]
      if (now() - sentAt >= INTERVAL_MS) flush()
    },
    flush,
  }
}
