import { BusyError } from '../errors.ts'
import { createFairLimit } from '../fair-limit.ts'
import type { EventStore } from './event-store.ts'

/**
 * Each statement takes a thread, memory and, on PostgreSQL, a connection. A project's share is small enough to leave
 * some for other projects.
 */
const TOTAL = { running: 8, waiting: 2000 }
const PROJECT = { running: 3, waiting: 400 }

/** Limits the concurrent reads of each project, so that no project waits for another. */
export function withFairReads(store: EventStore): EventStore {
  const limit = createFairLimit({ total: TOTAL, shares: [PROJECT], refuse: tooManyReads })
  const read = <T>(projectId: number, task: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    limit.run([String(projectId)], task, signal)
  return {
    ...store,
    list: (projectId, filter) => read(projectId, () => store.list(projectId, filter)),
    count: (projectId) => read(projectId, () => store.count(projectId)),
    query: (projectId, query) => read(projectId, () => store.query(projectId, query), query.signal),
  }
}

const tooManyReads = (): BusyError =>
  new BusyError('Too many queries are waiting to read events. Try again in a moment.')
