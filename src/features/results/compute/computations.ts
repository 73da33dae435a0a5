import type { RefreshPolicy } from '../cache/refresh.ts'
import type { ResultRow } from '../cache/store.ts'
import type { Computation } from './compute.ts'
import type { QuerySlots } from './query-slots.ts'
import { createWaiters, type Waiters } from './waiters.ts'

/** The computations of this server. */
export interface Computations {
  /**
   * Joins a computation over the same events. Over older events, or if forced and already done, starts another.
   * Returns its result if the policy waits for it.
   */
  join(computation: Computation, policy: RefreshPolicy): Promise<ResultRow | undefined>
  isRunning(key: string): boolean
  close(): Promise<void>
}

/** Computes and saves a result. Requests that join add their insights. */
export type ComputeTask = (
  computation: Computation,
  insightIds: ReadonlySet<number>,
  signal: AbortSignal,
) => Promise<ResultRow>

/** A request that read the cache just before the result was saved joins the finished computation. */
const REMEMBER_MS = 1000

interface Running {
  readonly waiters: Waiters
  readonly version: string
  readonly insightIds: Set<number>
  readonly done: Promise<ResultRow>
  isDone: boolean
}

/** Computes each result once for all concurrent requests. */
export function createComputations(querySlots: QuerySlots, task: ComputeTask): Computations {
  const running = new Map<string, Running>()

  function start(computation: Computation, { requester, wait }: RefreshPolicy): Running {
    const { key, projectId, version, source } = computation
    const previous = running.get(key)?.done
    const waiters = createWaiters(wait ? requester?.signal : undefined)
    const { signal } = waiters
    const insightIds = new Set<number>()
    const owner = { kind: source.kind, projectId, apiKey: requester?.key, signal }
    const run = () => querySlots.run(owner, () => task(computation, insightIds, signal))
    const done = previous ? previous.then(run, run) : run()
    const started = { waiters, version, insightIds, done, isDone: false }
    running.set(key, started)
    const forget = () => {
      if (running.get(key) === started) running.delete(key)
    }
    done.then(() => {
      started.isDone = true
      setTimeout(forget, REMEMBER_MS).unref()
    }, forget)
    return started
  }

  return {
    async join(computation, policy) {
      const { key, version, insightId } = computation
      const leaving = policy.wait ? policy.requester?.signal : undefined
      leaving?.throwIfAborted()
      const current = running.get(key)
      const isJoined =
        current?.version === version &&
        !(policy.when === 'always' && current.isDone) &&
        current.waiters.add(leaving)
      const { insightIds, done } = isJoined ? current : start(computation, policy)
      if (insightId !== undefined) insightIds.add(insightId)
      if (policy.wait) return done
      done.catch(() => {}) // the next request tries again
      return undefined
    },
    isRunning: (key) => running.get(key)?.isDone === false,
    async close() {
      const left = [...running.values()]
      for (const { waiters } of left) waiters.end()
      await Promise.allSettled(left.map(({ done }) => done))
    },
  }
}
