import { BusyError } from '#server/errors.ts'
import { createFairLimit, type Share } from '#server/fair-limit.ts'
import type { Tracer } from '#server/telemetry/tracer.ts'

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
  /** The kind of the query, for metrics and traces. */
  readonly kind: string
  readonly projectId: number
  /** The key or session; undefined if the server computes for itself. */
  readonly apiKey: string | undefined
  /** Stops waiting. */
  readonly signal: AbortSignal
}

export type QueryOutcome = 'succeeded' | 'failed' | 'canceled' | 'refused'

export interface EndedQuery {
  readonly kind: string
  readonly outcome: QueryOutcome
  /** The time in the queue, and the time in a slot; 0 if it got none. */
  readonly waitMs: number
  readonly runMs: number
}

/** Shares slots fairly among projects and keys. */
export interface QuerySlots {
  run<T>(owner: QueryOwner, task: () => Promise<T>): Promise<T>
  /** Counts the queries that run and wait now. */
  load(): Share
  /** Calls the listener when a query ends. */
  onEnd(listener: (ended: EndedQuery) => void): void
}

export const QUERY_SLOTS = SHARES.total.running

export function createQuerySlots(tracer: Tracer): QuerySlots {
  const listeners: ((ended: EndedQuery) => void)[] = []
  const limit = createFairLimit({
    total: SHARES.total,
    shares: [SHARES.project, SHARES.keyInProject, SHARES.key],
    refuse: tooManyQueries,
  })

  async function runInSlot<T>(owner: QueryOwner, task: () => Promise<T>): Promise<T> {
    const { projectId, apiKey = SERVER, kind, signal } = owner
    const queuedAt = performance.now()
    let startedAt: number | undefined
    let outcome: QueryOutcome = 'failed'
    try {
      const owners = [`${projectId}`, `${projectId} ${apiKey}`, apiKey]
      const result = await limit.run(owners, startTask, signal)
      outcome = 'succeeded'
      return result
    } catch (error) {
      if (signal.aborted) outcome = 'canceled'
      else if (startedAt === undefined) outcome = 'refused'
      throw error
    } finally {
      const endedAt = performance.now()
      const waitMs = (startedAt ?? endedAt) - queuedAt
      const runMs = endedAt - (startedAt ?? endedAt)
      for (const listener of listeners) listener({ kind, outcome, waitMs, runMs })
    }

    function startTask(): Promise<T> {
      startedAt = performance.now()
      return task()
    }
  }

  return {
    run: (owner, task) => {
      const attributes = {
        'hedgerow.query.kind': owner.kind,
        'hedgerow.project_id': owner.projectId,
      }
      return tracer.run(`query ${owner.kind}`, { attributes }, () => runInSlot(owner, task))
    },
    load: limit.load,
    onEnd: (listener) => void listeners.push(listener),
  }
}

const tooManyQueries = (): BusyError =>
  new BusyError('Too many queries are waiting. Try again in a moment.')
