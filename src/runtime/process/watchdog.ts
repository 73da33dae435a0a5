import { Failure, loopTimeoutMessage, OUT_OF_MEMORY, waitTimeoutMessage } from '../failure.ts'
import type { Limits } from '../limits.ts'
import type { Channel } from './channel.ts'
import type { Invocation } from './protocol.ts'
import { readStatus } from './sandbox.ts'

/** A process that does nothing but answer pings uses less of the time than this. */
const IDLE_SHARE = 0.02

export interface Watchdog {
  /** From when on it must answer. */
  start(): void
  /** The process has said something, or was told something that it waited for. */
  active(): void
  answered(content: Buffer): void
  /** While it works on this, it may not wait for nothing. */
  during<T>(task: Invocation, work: () => Promise<T>): Promise<T>
  stop(): void
}

export interface WatchdogOptions {
  readonly channel: Channel
  readonly limits: Limits
  readonly spec: { readonly pluginName: string; readonly configId: number }
  /** What the app waits for and is not its own doing. */
  waiting(): number
  onFailure(failure: Failure): void
}

/**
 * Counts ticks and not time: a server that was busy or asleep itself does not take it for the app's fault.
 * A process that is held back does not count either.
 */
export function createWatchdog(options: WatchdogOptions): Watchdog {
  const { channel, limits, spec } = options
  const most = Math.max(1, Math.round(limits.waitMs / limits.watchdogIntervalMs))
  let task: Invocation | undefined
  let isAsked = false
  let unanswered = 0
  let quiet = 0
  let cpu = 0

  const tick = () => {
    if ((readStatus(channel.pid, 'VmRSS') ?? 0) > limits.residentMemoryBytes) fail(OUT_OF_MEMORY)
    if (channel.isHeld) return
    if (isAsked) unanswered += 1
    else {
      isAsked = true
      channel.ping()
    }
    quiet = task && options.waiting() === 0 ? quiet + 1 : 0
    if (unanswered >= most) fail(loopTimeoutMessage(limits.waitMs))
    // when it loops there is no telling what it waits for
    else if (quiet > most && unanswered < 2 && task) {
      fail(waitTimeoutMessage(limits.waitMs, spec, functionName(task)))
    }
  }
  const fail = (message: string) => options.onFailure(new Failure('app', message))

  let timer: NodeJS.Timeout | undefined

  return {
    start() {
      timer = setInterval(tick, limits.watchdogIntervalMs)
      timer.unref()
    },
    active() {
      quiet = 0
    },
    answered(content) {
      if (content.length !== 8) return fail('The app broke the rules of its process.')
      const used = Number(content.readBigUInt64BE())
      // the thread pool works on something, such as a password's hash
      if (used - cpu > limits.watchdogIntervalMs * 1000 * IDLE_SHARE) quiet = 0
      cpu = used
      isAsked = false
      unanswered = 0
    },
    async during(next, work) {
      task = next
      quiet = 0
      try {
        return await work()
      } finally {
        task = undefined
      }
    },
    stop: () => clearInterval(timer),
  }
}

export const functionName = (task: Invocation): string => {
  if ('name' in task) return task.name
  return { setup: 'setupPlugin', teardown: 'teardownPlugin', migrate: 'migrateConfig' }[task.what]
}
