import { type AppToLoad, MAX_SKIPPED_ROWS_PER_CALL } from '#server/runtime/wire/protocol.ts'
import type { Calls } from './calls.ts'

export interface SkipReporter {
  /** Reports a row that could not be imported: the reason, and the row as a text or as JSON. */
  report(reason: unknown, row?: unknown): void
  flush(): void
}

export function createSkipReporter(
  calls: Calls,
  { maxSkippedLength }: AppToLoad['limits'],
): SkipReporter {
  let rows: [string, string][] = []

  const toText = (value: unknown): string => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    return text.slice(0, maxSkippedLength)
  }

  function flush(): void {
    if (rows.length === 0) return
    const sent = rows
    rows = []
    calls.call('skip', sent).catch(() => {}) // the host reports why it could not take them
  }

  return {
    report(reason, row) {
      if (rows.length === 0) void Promise.resolve().then(flush)
      rows.push([toText(reason), toText(row)])
      // together, because a file with a wrong column skips all of them
      if (rows.length >= MAX_SKIPPED_ROWS_PER_CALL) flush()
    },
    flush,
  }
}
