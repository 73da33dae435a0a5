import { ApiError } from '../errors.ts'
import { createFairLimit } from '../fair-limit.ts'
import type { EventStore } from './event-store.ts'

/**
 * Each statement takes a thread, memory and on PostgreSQL a connection. A project gets so few of them that those of
 * others always find some.
 */
const TOTAL = { running: 8, waiting: 2000 }
const PROJECT = { running: 3, waiting: 400 }

/** Lets every project read at a time no more than its share, so that no project waits for the reads of another. */
export function withFairReads(store: EventStore): EventStore {
  const limit = createFairLimit({ total: TOTAL, shares: [PROJECT], refuse: tooManyReads })
  const read = <T>(projectId: number, task: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    limit.run([String(projectId)], task, signal)
  return {
    ...store,
    list: (projectId, filter) => read(projectId, () => store.list(projectId, filter)),
    count: (projectId) => read(projectId, () => store.count(projectId)),
    query: (projectId, question) =>
      read(projectId, () => store.query(projectId, question), question.signal),
  }
}

const tooManyReads = (): ApiError =>
  new ApiError('unavailable', 'Too many queries are waiting to read events. Try again in a moment.')
