import { setTimeout as sleep } from 'node:timers/promises'
import type { AppServices } from '../contract.ts'
import { type HostBudgets, TooLongWait } from './host-budgets.ts'
import type { Remote } from './remote.ts'

/** A shorter wait is not worth another run in the slot. */
const MIN_ASIDE_MS = 1000

/** Delays what a run does, and says when it does nothing else. */
export interface Pace {
  /** Waits until the host takes another request of the config. */
  waitForTurn(url: URL): Promise<void>
  /** Waits, at most until the run ends. */
  sleep(ms: number): Promise<void>
  /** Runs work during which the run is not idle, although something else of it waits. */
  busy<T>(work: () => Promise<T>): Promise<T>
}

interface PaceOptions {
  readonly budgets: HostBudgets
  readonly remote: Remote
  readonly ended: AbortSignal
  readonly services: Pick<AppServices, 'setIdle'>
}

export function createPace({ budgets, remote, ended, services }: PaceOptions): Pace {
  let waiting = 0
  let working = 0
  let wasIdle = false

  function report(): void {
    const isIdle = waiting > 0 && working === 0
    if (isIdle !== wasIdle) services.setIdle?.(isIdle)
    wasIdle = isIdle
  }

  async function pause(ms: number): Promise<void> {
    const isLong = ms >= MIN_ASIDE_MS
    if (isLong) waiting += 1
    report()
    await sleep(ms, undefined, { signal: ended }).catch(() => {})
    if (isLong) waiting -= 1
    report()
  }

  return {
    sleep: pause,
    async waitForTurn(url) {
      try {
        let waitMs = budgets.reserve(url.host, Date.now())
        while (waitMs > 0 && !ended.aborted) {
          await pause(waitMs)
          // the host may have asked for a longer wait meanwhile
          waitMs = budgets.postponedFor(url.host, Date.now())
        }
      } catch (error) {
        if (error instanceof TooLongWait) remote.recordFailure(url, error, error.waitMs)
        throw error
      }
      ended.throwIfAborted()
    },
    async busy(work) {
      working += 1
      report()
      try {
        return await work()
      } finally {
        working -= 1
        report()
      }
    },
  }
}
