import { BusyError } from '#server/errors.ts'
import { createFairLimit } from '#server/fair-limit.ts'

/** Limits of concurrent and waiting computations. A dashboard has only a few of its tiles in the queue. */
const SHARES = {
  total: { running: 8, waiting: 1000 },
  project: { running: 3, waiting: 200 },
  keyInProject: { running: 2, waiting: 100 },
  key: { running: 4, waiting: 100 },
}
/** The owner of the server's own computations: refreshes, alerts, subscriptions and public links. */
const SERVER = 'server'

export interface QueryOwner {
  readonly projectId: number
  /** The key or session; undefined if the server computes for itself. */
  readonly apiKey: string | undefined
  /** Stops waiting. */
  readonly signal: AbortSignal
}

/** Lets projects and keys compute in turn. */
export interface QueryTurns {
  run<T>(owner: QueryOwner, task: () => Promise<T>): Promise<T>
}

export function createQueryTurns(): QueryTurns {
  const limit = createFairLimit({
    total: SHARES.total,
    shares: [SHARES.project, SHARES.keyInProject, SHARES.key],
    refuse: tooManyQueries,
  })
  return {
    run: ({ projectId, apiKey = SERVER, signal }, task) =>
      limit.run([`${projectId}`, `${projectId} ${apiKey}`, apiKey], task, signal),
  }
}

const tooManyQueries = (): BusyError =>
  new BusyError('Too many queries are waiting. Try again in a moment.')
