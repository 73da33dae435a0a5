import type { Db } from '#server/db/schema.ts'
import type { RunRow } from '#server/features/import-apps/queue/store.ts'
import type { LogLine } from '#server/runtime/contract.ts'
import { insertLogs, type NewLogLine } from './log-store.ts'

/** Lines are written in batches: an app may log thousands, and each commit waits for the disk. */
const FLUSH_INTERVAL_MS = 250

export interface LogWriter {
  write(run: Pick<RunRow, 'id' | 'project_id' | 'config_id'>, line: LogLine): void
  /** Resolves when all lines written so far are stored. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Calls `onLost` if lines cannot be stored, because that must not fail the run. */
export function createLogWriter(db: Db, onLost: (error: unknown) => void): LogWriter {
  let lines: NewLogLine[] = []
  let writing: Promise<void> = Promise.resolve()

  const flush = (): Promise<void> => {
    writing = writing.then(async () => {
      const batch = lines
      lines = []
      if (batch.length > 0) await insertLogs(db, batch).catch(onLost)
    })
    return writing
  }
  const timer = setInterval(() => void flush(), FLUSH_INTERVAL_MS).unref()

  return {
    write({ id, project_id, config_id }, { at, source, type, message }) {
      lines.push({ project_id, config_id, run_id: id, created_at: at, source, type, message })
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
