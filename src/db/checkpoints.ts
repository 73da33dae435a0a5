import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'

/** SQLite's own limit is 1000, but the first write into an emptied log flushes it, on the thread that writes. */
const MAX_LOG_PAGES = 4000
const HEAP = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 }

export interface Checkpoints {
  /** Begins to copy the log into the database, if it has become long. */
  startIfDue(): void
  /** Resolves when the log is not being copied. Writes meanwhile would keep it from being emptied. */
  idle(): Promise<void> | undefined
}

/**
 * Copies SQLite's log (WAL) in a thread. SQLite does so within a commit, where it waits for the disk on the thread that
 * serves all requests: beside an import, for up to 700 ms.
 */
export function createCheckpoints(file: DatabaseSync): Checkpoints {
  file.exec('pragma wal_autocheckpoint = 0')
  const readLog = file.prepare('pragma wal_checkpoint(noop)')
  let running: Promise<void> | undefined
  let triedAt = 0

  return {
    startIfDue() {
      const { log } = readLog.get() as { readonly log: number }
      if (log < triedAt) triedAt = 0 // the log has been emptied
      if (running || log - triedAt < MAX_LOG_PAGES) return
      triedAt = log
      running = copyLog(file.location() as string).finally(() => {
        running = undefined
      })
    },
    idle: () => running,
  }
}

/** JavaScript in a text, because Node would load its compiler of TypeScript for a file: 40 ms instead of 15. */
const THREAD = `
  const { DatabaseSync } = require('node:sqlite')
  const file = new DatabaseSync(require('node:worker_threads').workerData)
  file.exec('pragma wal_checkpoint(passive)')
  file.close()`

/** A failure, such as a full disk, loses nothing: the log stays, and is tried again when it is longer. */
async function copyLog(path: string): Promise<void> {
  const options = { eval: true, execArgv: [], resourceLimits: HEAP, workerData: path }
  const thread = new Worker(THREAD, options)
  thread.on('error', () => {})
  await new Promise((resolve) => thread.once('exit', resolve))
}
