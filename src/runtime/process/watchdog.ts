import { Failure, loopTimeoutMessage, OUT_OF_MEMORY, waitTimeoutMessage } from '../failure.ts'
import type { Limits } from '../limits.ts'
import { HOOKS, type Invocation } from '../wire/protocol.ts'
import type { Channel } from './channel.ts'
import { readProcessMemory } from './sandbox.ts'

/** A process that only replies to pings uses a smaller share of the CPU than this. */
const IDLE_CPU_SHARE = 0.02

/** Kills a process that loops, waits for nothing or uses too much memory. */
export interface Watchdog {
  /** Starts to watch, for the first time or after `stop`. */
  start(): void
  /** Call when the process has sent a message, or got one it was waiting for. */
  recordActivity(): void
  receivePong(content: Buffer): void
  /** While this task runs, the process may not wait for nothing. */
  watchTask<T>(task: Invocation, work: Promise<T>): Promise<T>
  stop(): void
}

export interface WatchdogOptions {
  readonly channel: Channel
  readonly limits: Limits
  readonly spec: { readonly pluginName: string; readonly configId: number }
  /** The number of calls and streams that the app waits for through no fault of its own. */
  countPending(): number
  onFailure(failure: Failure): void
}

/**
 * Counts intervals, not time, so that a server that was busy or suspended does not blame the app. Intervals in which
 * the process is paused do not count either.
 */
export function createWatchdog(options: WatchdogOptions): Watchdog {
  const { channel, limits, spec } = options
  const maxIntervals = Math.max(1, Math.round(limits.waitMs / limits.watchdogIntervalMs))
  let task: Invocation | undefined
  let isPingPending = false
  let intervalsWithoutPong = 0
  let intervalsWithoutActivity = 0
  let cpuMicroseconds = 0
  let timer: NodeJS.Timeout | undefined

  const check = () => {
    const memory = readProcessMemory(channel.pid, 'VmRSS') ?? 0
    if (memory > limits.residentMemoryBytes) fail(OUT_OF_MEMORY)
    if (channel.isPaused) return
    if (isPingPending) intervalsWithoutPong += 1
    else {
      isPingPending = true
      channel.ping()
    }
    const isWaiting = task && options.countPending() === 0
    intervalsWithoutActivity = isWaiting ? intervalsWithoutActivity + 1 : 0
    if (intervalsWithoutPong >= maxIntervals) fail(loopTimeoutMessage(limits.waitMs))
    // a process that loops may also be waiting, so only one that replies is judged by what it waits for
    else if (intervalsWithoutActivity > maxIntervals && intervalsWithoutPong < 2 && task) {
      fail(waitTimeoutMessage(limits.waitMs, spec, functionName(task)))
    }
  }
  const fail = (message: string) => options.onFailure(new Failure('app', message))

  return {
    start() {
      clearInterval(timer)
      isPingPending = false
      intervalsWithoutPong = 0
      timer = setInterval(check, limits.watchdogIntervalMs)
      timer.unref()
    },
    recordActivity() {
      intervalsWithoutActivity = 0
    },
    receivePong(content) {
      if (content.length !== 8) return fail('The app broke the rules of its process.')
      const used = Number(content.readBigUInt64BE())
      // the thread pool is working, for example on a password hash
      if (used - cpuMicroseconds > limits.watchdogIntervalMs * 1000 * IDLE_CPU_SHARE) {
        intervalsWithoutActivity = 0
      }
      cpuMicroseconds = used
      isPingPending = false
      intervalsWithoutPong = 0
    },
    async watchTask(next, work) {
      task = next
      intervalsWithoutActivity = 0
      try {
        return await work
      } finally {
        task = undefined
      }
    },
    stop: () => clearInterval(timer),
  }
}

const functionName = (task: Invocation): string => ('name' in task ? task.name : HOOKS[task.kind])
