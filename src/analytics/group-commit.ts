import { createBatcher } from '../concurrency.ts'
import { ApiError } from '../errors.ts'
import { type EventRow, type PreparedEvent, toEventRow } from './event-row.ts'
import type { NewEvent } from './event-store.ts'

interface Append {
  readonly rows: readonly EventRow[]
  readonly size: number
}

/** Handing a group to the database blocks the event loop: 4,096 events take about 10 ms. */
const MAX_GROUP_ROWS = 4096
const MAX_GROUP_SIZE = 8 * 1024 * 1024
/** Above this, new events are refused, so that a flood does not exhaust the memory. */
const MAX_WAITING_SIZE = 64 * 1024 * 1024

export interface GroupCommit {
  append(projectId: number, events: readonly NewEvent[]): Promise<void>
  appendPrepared(projectId: number, events: readonly PreparedEvent[]): Promise<void>
  /** Refuses new events and resolves when all accepted ones are written. */
  close(): Promise<void>
}

/**
 * Commits appends that wait at the same moment together, because a commit waits for the disk whatever its size. A group
 * that fails is written again append by append, so that one that the database refuses harms no other.
 */
export function createGroupCommit(
  write: (rows: readonly EventRow[]) => Promise<void>,
): GroupCommit {
  let waitingSize = 0
  let isClosed = false

  const batcher = createBatcher<Append, void>({
    countNext: countGroup,
    async run(group) {
      for (const { size } of group) waitingSize -= size
      return writeGroup(group)
    },
  })

  async function writeGroup(group: readonly Append[]): Promise<PromiseSettledResult<void>[]> {
    try {
      await write(group.flatMap(({ rows }) => rows))
      return group.map(() => ({ status: 'fulfilled', value: undefined }))
    } catch (error) {
      if (group.length === 1) throw error
      return writeOneByOne(group)
    }
  }

  async function writeOneByOne(group: readonly Append[]): Promise<PromiseSettledResult<void>[]> {
    const results: PromiseSettledResult<void>[] = []
    for (const append of group) results.push(...(await Promise.allSettled([write(append.rows)])))
    return results
  }

  async function add(toRows: () => EventRow[]): Promise<void> {
    if (isClosed) throw new Error('The event store is closed.')
    if (waitingSize > MAX_WAITING_SIZE) throw tooManyWaiting()
    const rows = toRows()
    if (rows.length === 0) return
    const size = rows.reduce((sum, row) => sum + estimateSize(row), 0)
    waitingSize += size
    await batcher.add({ rows, size })
  }

  return {
    append: (projectId, events) => add(() => events.map((event) => toEventRow(projectId, event))),
    appendPrepared: (projectId, events) =>
      add(() => events.map((event) => ({ ...event, projectId }))),
    async close() {
      isClosed = true
      await batcher.idle()
    },
  }
}

/** Counts the appends at the front that fit into one group. */
function countGroup(appends: readonly Append[]): number {
  let rows = 0
  let size = 0
  for (const [index, append] of appends.entries()) {
    rows += append.rows.length
    size += append.size
    if (index > 0 && (rows > MAX_GROUP_ROWS || size > MAX_GROUP_SIZE)) return index
  }
  return appends.length
}

const estimateSize = ({ event, distinct_id, properties, fullProperties }: EventRow): number =>
  100 + event.length + distinct_id.length + properties.length + (fullProperties?.length ?? 0)

const tooManyWaiting = (): ApiError => {
  const detail = 'More events are coming in than can be stored. Try again in a moment.'
  return new ApiError('unavailable', detail)
}
