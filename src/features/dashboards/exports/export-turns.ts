import type { Caller } from '#server/access/guard.ts'
import type { Requester } from '#server/access/requester.ts'
import { ApiError } from '#server/errors.ts'
import { createFairLimit } from '#server/fair-limit.ts'

/** One picture is drawn at a time; the others read results meanwhile. */
const TOTAL = { running: 4, waiting: 100 }
const PROJECT = { running: 2, waiting: 50 }
const KEY = { running: 3, waiting: 25 }

/** Exports for projects and keys in turn, and only for clients who still wait. */
export function createExportTurns() {
  const limit = createFairLimit({
    total: TOTAL,
    shares: [PROJECT, KEY],
    refuse: () =>
      new ApiError('unavailable', 'Too many exports are waiting. Try again in a moment.'),
  })
  return <T>(
    { projectId }: Caller,
    { key, signal }: Requester,
    task: () => Promise<T>,
  ): Promise<T> => limit.run([String(projectId), key], task, signal)
}
