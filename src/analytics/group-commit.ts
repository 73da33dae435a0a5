import { ApiError } from '../errors.ts'
import type { NewEvent } from './event-store.ts'
import { type NewRow, toNewRow } from './storable.ts'

interface Waiting {
  readonly rows: readonly NewRow[]
  readonly size: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** A group holds the event loop while it is handed to the database: 4,096 events about 10 ms. */
const MOST_ROWS = 4096
const MOST_SIZE = 8 * 1024 * 1024
/** Whoever comes when so much waits is sent away, or a flood would end in no memory at all. */
const MOST_WAITING = 64 * 1024 * 1024

export interface GroupCommit {
  append(projectId: number, events: readonly NewEvent[]): Promise<void>
  /** Refuses what comes from now on; resolves when all that was taken is written. */
  close(): Promise<void>
}

/**
 * A commit waits for the disk, whatever its size, so callers that come while one is under way share the next. A group
 * that fails is written once more caller by caller: one that the database does not take harms only itself.
 */
export function createGroupCommit(write: (rows: readonly NewRow[]) => Promise<void>): GroupCommit {
  let waiting: Waiting[] = []
  let waitingSize = 0
  let writing: Promise<void> | undefined
  let closed = false

  return {
    append(projectId, events) {
      if (closed) return Promise.reject(new Error('The event store is closed.'))
      if (waitingSize > MOST_WAITING) return Promise.reject(tooMuchWaiting())
      return new Promise((resolve, reject) => {
        const rows = events.map((event) => toNewRow(projectId, event))
        const size = rows.reduce((sum, row) => sum + sizeOf(row), 0)
        if (rows.length === 0) return resolve()
        waiting.push({ rows, size, resolve, reject })
        waitingSize += size
        writing ??= writeAll()
      })
    },
    async close() {
      closed = true
      await writing
    },
  }

  async function writeAll(): Promise<void> {
    // after this turn of the event loop: requests that arrived together are then all waiting
    await new Promise(setImmediate)
    while (waiting.length > 0) await writeGroup(takeGroup())
    writing = undefined
  }

  function takeGroup(): Waiting[] {
    let [rows, size, count] = [0, 0, 0]
    for (const next of waiting) {
      rows += next.rows.length
      size += next.size
      if (count > 0 && (rows > MOST_ROWS || size > MOST_SIZE)) break
      count++
    }
    const group = waiting.slice(0, count)
    waiting = waiting.slice(count)
    waitingSize -= group.reduce((sum, one) => sum + one.size, 0)
    return group
  }

  async function writeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      await write(group.flatMap(({ rows }) => rows))
      for (const { resolve } of group) resolve()
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error)
      else for (const one of group) await writeGroup([one])
    }
  }
}

const sizeOf = ({ event, distinct_id, properties, whole }: NewRow): number =>
  100 + event.length + distinct_id.length + properties.length + (whole?.length ?? 0)

const tooMuchWaiting = (): ApiError => {
  const detail = 'More events are coming in than can be stored. Try again in a moment.'
  return new ApiError('unavailable', detail, null, { 'retry-after': '5' })
}
