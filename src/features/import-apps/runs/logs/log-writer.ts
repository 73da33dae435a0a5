import type { Db } from '#server/db/schema.ts'
import type { LogLine } from '#server/runtime/contract.ts'
import type { RunRow } from '../store.ts'
import { insertLogs, type NewLogLine } from './log-store.ts'

/** Lines are written together: an app may log thousands, and each commit waits for the disk. */
const WRITE_EVERY_MS = 250

export interface LogWriter {
  write(run: Pick<RunRow, 'id' | 'project_id' | 'config_id'>, line: LogLine): void
  /** Resolves when all that was written before can be read. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** `lost` is told when lines cannot be stored: the run itself must not fail for it. */
export function createLogWriter(db: Db, lost: (error: unknown) => void): LogWriter {
  let lines: NewLogLine[] = []
  let writing: Promise<void> = Promise.resolve()

  const flush = (): Promise<void> => {
    writing = writing.then(async () => {
      const some = lines
      lines = []
      if (some.length > 0) await insertLogs(db, some).catch(lost)
    })
    return writing
  }
  const timer = setInterval(() => void flush(), WRITE_EVERY_MS).unref()

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
