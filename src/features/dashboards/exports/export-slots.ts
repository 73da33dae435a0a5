import type { Caller } from '#server/access/guard.ts'
import type { Requester } from '#server/access/requester.ts'
import { BusyError } from '#server/errors.ts'
import { createFairLimit } from '#server/fair-limit.ts'

/** One image is drawn at a time; the other exports read results in the meantime. */
const TOTAL = { running: 4, waiting: 100 }
const PROJECT = { running: 2, waiting: 50 }
const KEY = { running: 3, waiting: 25 }

/** Shares slots fairly among projects and keys, and skips clients who have disconnected. */
export function createExportSlots() {
  const limit = createFairLimit({
    total: TOTAL,
    shares: [PROJECT, KEY],
    refuse: () => new BusyError('Too many exports are waiting. Try again in a moment.'),
  })
  return <T>(
    { projectId }: Caller,
    { key, signal }: Requester,
    task: () => Promise<T>,
  ): Promise<T> => limit.run([String(projectId), key], task, signal)
}
