import { createBatcher } from '../concurrency.ts'
import { BusyError } from '../errors.ts'
import {
  type EventBatch,
  mergeBatches,
  type PackedEvents,
  toBatch,
  unpackBatch,
} from './event-batch.ts'
import { toEventRow } from './event-row.ts'
import type { Appended, NewEvent } from './event-store.ts'

/** A larger group would delay its first caller more than it saves. */
const MAX_GROUP_ROWS = 4096
const MAX_GROUP_SIZE = 8 * 1024 * 1024
/** Fewer events wait for the group that is being written, because each commit has its own cost. */
const MIN_PARALLEL_ROWS = 1000
/** Above this, new events are refused, so that a flood does not exhaust the memory. */
const MAX_WAITING_SIZE = 64 * 1024 * 1024

/** Returns the events from one position of a written batch to another. */
export type Written = (from: number, to: number) => Appended

const NOTHING: Appended = { first: 0, count: 0 }

export interface GroupCommit {
  append(projectId: number, events: readonly NewEvent[]): Promise<Appended>
  appendPacked(projectId: number, events: readonly PackedEvents[]): Promise<Appended>
  /** Refuses new events and resolves when all accepted ones are written. */
  close(): Promise<void>
}

export interface GroupCommitOptions {
  /** The number of groups that may be written at once. */
  readonly parallel?: number
  readonly maxRows?: number
}

/**
 * Commits appends that wait at the same moment together, because every commit waits for the disk. A failed group is
 * written again append by append, so that one refused append affects no other.
 */
export function createGroupCommit(
  write: (batch: EventBatch) => Promise<Written>,
  { parallel = 1, maxRows = MAX_GROUP_ROWS }: GroupCommitOptions = {},
): GroupCommit {
  let waitingSize = 0
  let isClosed = false

  const batcher = createBatcher<EventBatch, Appended>({
    maxRunning: parallel,
    countNext: (appends, running) =>
      running > 0 && countRows(appends) < MIN_PARALLEL_ROWS ? 0 : countGroup(appends, maxRows),
    async run(group) {
      for (const { size } of group) waitingSize -= size
      return writeGroup(group)
    },
  })

  async function writeGroup(
    group: readonly EventBatch[],
  ): Promise<PromiseSettledResult<Appended>[]> {
    try {
      const written = await write(mergeBatches(group))
      let from = 0
      return group.map(({ count }) => {
        from += count
        return { status: 'fulfilled', value: written(from - count, from) }
      })
    } catch (error) {
      if (group.length === 1) throw error
      return writeOneByOne(group)
    }
  }

  async function writeOneByOne(
    group: readonly EventBatch[],
  ): Promise<PromiseSettledResult<Appended>[]> {
    const results: PromiseSettledResult<Appended>[] = []
    for (const append of group) {
      const writing = write(append).then((written) => written(0, append.count))
      results.push(...(await Promise.allSettled([writing])))
    }
    return results
  }

  async function add(toAppend: () => EventBatch): Promise<Appended> {
    if (isClosed) throw new Error('The event store is closed.')
    if (waitingSize > MAX_WAITING_SIZE) throw tooManyWaiting()
    const append = toAppend()
    if (append.count === 0) return NOTHING
    waitingSize += append.size
    return batcher.add(append)
  }

  return {
    append: (projectId, events) =>
      add(() =>
        toBatch(
          projectId,
          events.map((event) => toEventRow(projectId, event)),
        ),
      ),
    appendPacked: (projectId, events) => add(() => unpackBatch(projectId, events)),
    async close() {
      isClosed = true
      await batcher.idle()
    },
  }
}

const countRows = (appends: readonly EventBatch[]): number =>
  appends.reduce((rows, { count }) => rows + count, 0)

/** Counts the appends at the front that fit into one group. */
function countGroup(appends: readonly EventBatch[], maxRows: number): number {
  let rows = 0
  let size = 0
  for (const [index, append] of appends.entries()) {
    rows += append.count
    size += append.size
    if (index > 0 && (rows > maxRows || size > MAX_GROUP_SIZE)) return index
  }
  return appends.length
}

const tooManyWaiting = (): BusyError =>
  new BusyError('More events are coming in than can be stored. Try again in a moment.')
