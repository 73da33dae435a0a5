import { createBatcher } from '../concurrency.ts'
import { ApiError } from '../errors.ts'
import {
  type EventBatch,
  mergeBatches,
  type PackedEvents,
  toBatch,
  unpackBatch,
} from './event-batch.ts'
import { toEventRow } from './event-row.ts'
import type { NewEvent } from './event-store.ts'

/** A larger group would delay its first caller more than it saves. */
const MAX_GROUP_ROWS = 4096
const MAX_GROUP_SIZE = 8 * 1024 * 1024
/** Above this, new events are refused, so that a flood does not exhaust the memory. */
const MAX_WAITING_SIZE = 64 * 1024 * 1024

export interface GroupCommit {
  append(projectId: number, events: readonly NewEvent[]): Promise<void>
  appendPacked(projectId: number, events: readonly PackedEvents[]): Promise<void>
  /** Refuses new events and resolves when all accepted ones are written. */
  close(): Promise<void>
}

/**
 * Commits appends that wait at the same moment together, because every commit waits for the disk. A failed group is
 * written again append by append, so that one refused append affects no other.
 */
export function createGroupCommit(write: (batch: EventBatch) => Promise<void>): GroupCommit {
  let waitingSize = 0
  let isClosed = false

  const batcher = createBatcher<EventBatch, void>({
    countNext: countGroup,
    async run(group) {
      for (const { size } of group) waitingSize -= size
      return writeGroup(group)
    },
  })

  async function writeGroup(group: readonly EventBatch[]): Promise<PromiseSettledResult<void>[]> {
    try {
      await write(mergeBatches(group))
      return group.map(() => ({ status: 'fulfilled', value: undefined }))
    } catch (error) {
      if (group.length === 1) throw error
      return writeOneByOne(group)
    }
  }

  async function writeOneByOne(
    group: readonly EventBatch[],
  ): Promise<PromiseSettledResult<void>[]> {
    const results: PromiseSettledResult<void>[] = []
    for (const append of group) results.push(...(await Promise.allSettled([write(append)])))
    return results
  }

  async function add(toAppend: () => EventBatch): Promise<void> {
    if (isClosed) throw new Error('The event store is closed.')
    if (waitingSize > MAX_WAITING_SIZE) throw tooManyWaiting()
    const append = toAppend()
    if (append.count === 0) return
    waitingSize += append.size
    await batcher.add(append)
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

/** Counts the appends at the front that fit into one group. */
function countGroup(appends: readonly EventBatch[]): number {
  let rows = 0
  let size = 0
  for (const [index, append] of appends.entries()) {
    rows += append.count
    size += append.size
    if (index > 0 && (rows > MAX_GROUP_ROWS || size > MAX_GROUP_SIZE)) return index
  }
  return appends.length
}

const tooManyWaiting = (): ApiError => {
  const detail = 'More events are coming in than can be stored. Try again in a moment.'
  return new ApiError('unavailable', detail)
}
