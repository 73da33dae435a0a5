import type { RefreshPolicy } from '../cache/refresh.ts'
import type { ResultRow } from '../cache/store.ts'
import type { Computation, SharedComputations } from './compute.ts'
import type { QuerySlots } from './query-slots.ts'
import { createWaiters, type Waiters } from './waiters.ts'

/** The computations of this server. */
export interface Computations {
  /**
   * Joins each computation over the same events. Over older events, or if forced and already done, starts another; those
   * that start share a slot. Returns the results if the policy waits for them.
   */
  join(
    computations: SharedComputations,
    policy: RefreshPolicy,
  ): Promise<readonly (ResultRow | undefined)[]>
  isRunning(key: string): boolean
  close(): Promise<void>
}

/** Computes and saves results. Requests that join add their insights. */
export type ComputeTask = (
  computations: SharedComputations,
  insightIds: readonly ReadonlySet<number>[],
  signal: AbortSignal,
) => Promise<PromiseSettledResult<ResultRow>[]>

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

  function start(computations: SharedComputations, { requester, wait }: RefreshPolicy): Running[] {
    const [{ projectId, source }] = computations
    const previous = computations.flatMap(({ key }) => running.get(key)?.done ?? [])
    const leaving = wait ? requester?.signal : undefined
    const waiters = computations.map(() => createWaiters(leaving))
    const insightIds = computations.map(() => new Set<number>())
    const signal = whenAllAbort(waiters.map((each) => each.signal))
    const owner = { kind: source.kind, projectId, apiKey: requester?.key, signal }
    const run = () => querySlots.run(owner, () => task(computations, insightIds, signal))
    const all = previous.length > 0 ? Promise.allSettled(previous).then(run) : run()
    return computations.map(({ key, version }, index) => {
      const done = all.then((settled) => toValue(settled[index] as PromiseSettledResult<ResultRow>))
      const started: Running = {
        waiters: waiters[index] as Waiters,
        version,
        insightIds: insightIds[index] as Set<number>,
        done,
        isDone: false,
      }
      remember(key, started)
      return started
    })
  }

  function remember(key: string, started: Running): void {
    running.set(key, started)
    const forget = () => {
      if (running.get(key) === started) running.delete(key)
    }
    started.done.then(() => {
      started.isDone = true
      setTimeout(forget, REMEMBER_MS).unref()
    }, forget)
  }

  function findRunning({ key, version }: Computation, policy: RefreshPolicy): Running | undefined {
    const leaving = policy.wait ? policy.requester?.signal : undefined
    const current = running.get(key)
    const isJoined =
      current?.version === version &&
      !(policy.when === 'always' && current.isDone) &&
      current.waiters.add(leaving)
    return isJoined ? current : undefined
  }

  return {
    async join(computations, policy) {
      if (policy.wait) policy.requester?.signal?.throwIfAborted()
      const found = computations.map((each) => findRunning(each, policy))
      const missing = computations.filter((_, index) => !found[index])
      const started =
        missing.length > 0 ? start(missing as unknown as SharedComputations, policy) : []
      const all = found.map((each) => each ?? (started.shift() as Running))
      for (const [index, { insightIds }] of all.entries()) {
        const insightId = computations[index]?.insightId
        if (insightId !== undefined) insightIds.add(insightId)
      }
      const done = Promise.all(all.map((each) => each.done))
      if (policy.wait) return done
      done.catch(() => {}) // the next request tries again
      return computations.map(() => undefined)
    },
    isRunning: (key) => running.get(key)?.isDone === false,
    async close() {
      const left = [...running.values()]
      for (const { waiters } of left) waiters.end()
      await Promise.allSettled(left.map(({ done }) => done))
    },
  }
}

function toValue(settled: PromiseSettledResult<ResultRow>): ResultRow {
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

/** Returns a signal that aborts with the last of these. */
function whenAllAbort(signals: readonly AbortSignal[]): AbortSignal {
  const all = new AbortController()
  let count = signals.length
  for (const signal of signals) {
    const leave = () => {
      count--
      if (count === 0) all.abort(signal.reason)
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  }
  return all.signal
}
