import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'

/** SQLite's own limit is 1000, but the first write into an emptied log flushes it, on the thread that writes. */
const MAX_LOG_PAGES = 4000
const HEAP = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 }

/** Writes may not come for a while: the copying then ends without waiting for one. */
const IDLE_MS = 100

export interface Checkpoints {
  /** Begins to copy the log into the database, if it has become long, or to end that. Called between writes. */
  proceed(): void
  /** Resolves when the rest of the log is copied. Writes meanwhile would keep it from being emptied. */
  idle(): Promise<void> | undefined
  /** Ends the copying. */
  close(): Promise<void>
}

/**
 * Copies SQLite's log (WAL) in a thread. SQLite does so within a commit, where it waits for the disk on the thread that
 * serves all requests: beside an import, for up to 700 ms. Writes continue while most of it is copied, and wait only for
 * the rest, which came meanwhile.
 */
export function createCheckpoints(file: DatabaseSync): Checkpoints {
  file.exec('pragma wal_autocheckpoint = 0')
  const readLog = file.prepare('pragma wal_checkpoint(noop)')
  let copying: Copying | undefined
  let ending: Promise<void> | undefined
  let triedAt = 0

  function end(): void {
    if (!copying || ending) return
    ending = copying.end()
  }

  function start(): void {
    const started = copyLog(file.location() as string, () => void setTimeout(end, IDLE_MS).unref())
    copying = started
    void started.ended.then(() => {
      copying = undefined
      ending = undefined
    })
  }

  return {
    proceed() {
      if (copying) {
        if (copying.isAtRest()) end()
        return
      }
      const { log } = readLog.get() as { readonly log: number }
      if (log < triedAt) triedAt = 0 // the log has been emptied
      if (log - triedAt < MAX_LOG_PAGES) return
      triedAt = log
      start()
    },
    idle: () => ending,
    async close() {
      end()
      await ending
    },
  }
}

/** JavaScript in a text, because Node would load its compiler of TypeScript for a file: 40 ms instead of 15. */
const THREAD = `
  const { DatabaseSync } = require('node:sqlite')
  const { parentPort, workerData } = require('node:worker_threads')
  const file = new DatabaseSync(workerData)
  const copy = () => file.exec('pragma wal_checkpoint(passive)')
  copy()
  parentPort.once('message', () => {
    copy()
    file.close()
  })
  parentPort.postMessage('at rest')`

interface Copying {
  readonly ended: Promise<void>
  /** Whether most of the log is copied. */
  isAtRest(): boolean
  /** Copies the rest of the log. */
  end(): Promise<void>
}

/** A failure, such as a full disk, loses nothing: the log stays, and is tried again when it is longer. */
function copyLog(path: string, onRest: () => void): Copying {
  const options = { eval: true, execArgv: [], resourceLimits: HEAP, workerData: path }
  const thread = new Worker(THREAD, options)
  let isAtRest = false
  thread.on('error', () => {})
  thread.once('message', () => {
    isAtRest = true
    onRest()
  })
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
  return {
    ended,
    isAtRest: () => isAtRest,
    end() {
      thread.postMessage('end')
      return ended
    },
  }
}
