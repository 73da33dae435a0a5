import { waitAtMost } from '#server/concurrency.ts'
import { describeOutage } from '#server/db/storage-problem.ts'
import type { Egress } from '#server/egress/egress.ts'
import { AppProblem, type AppSpec, type LogLine } from '../contract.ts'
import type { Limits } from '../limits.ts'
import type { Channel } from '../process/channel.ts'
import { toFrameCost } from '../process/rate-limit.ts'
import { BrokenFrame } from '../wire/frames.ts'
import { FRAME, type FromApp, MAX_PENDING_CALL_BYTES, MAX_PENDING_CALLS } from '../wire/protocol.ts'
import { toCallError } from './call-error.ts'
import { type CaptureQueue, createCaptureQueue } from './capture-queue.ts'
import { handleCall } from './handle-call.ts'
import type { RunState } from './run-state.ts'
import { createHostStreams, type HostStreams } from './streams.ts'

const MAX_PROGRESS_MESSAGE_LENGTH = 1000

export interface HostOptions {
  readonly spec: AppSpec
  readonly limits: Limits
  readonly egress: Egress
  readonly channel: Channel
  /** Slows the process down by a number of calls. */
  throttle(cost: number): void
}

type Call = Extract<FromApp, { t: 'call' }>
/** A message that gets no reply. */
type Report = Extract<FromApp, { t: 'log' | 'uncaught' | 'progress' }>

/** The host's side of one app process: serves its calls and receives its events, logs and progress. */
export interface Host {
  readonly streams: HostStreams
  /** The current run, or the last one. undefined before the first. */
  readonly run: RunState | undefined
  /** The number of calls and streams that the app waits for through no fault of its own. */
  readonly pendingCount: number
  /** Starts a run. After another run, its calls are served once the process says that it has started. */
  startRun(run: RunState): void
  /** Refuses the run's further calls at once, waits for those in progress, and closes everything that it has left open. */
  endRun(): Promise<void>
  handleStarted(): void
  /** Serves a call of this many bytes. Throws a `BrokenFrame` if too many are waiting. */
  handleCall(call: Call, bytes: number): Promise<void>
  handleCaptures(content: Buffer): void
  handleReport(report: Report): void
}

export function createHost(options: HostOptions): Host {
  const { limits, channel, throttle } = options
  const streams = createHostStreams(channel)
  /** The calls in progress. */
  const serving = new Set<Promise<void>>()
  let run: RunState | undefined
  /** The run that the process has not started yet. Calls still come from what an earlier run left. */
  let nextRun: RunState | undefined
  let captures: CaptureQueue | undefined
  let ending: Promise<void> | undefined
  let pendingCalls = 0
  let pendingCallBytes = 0
  let pendingCaptures = 0

  function requireRun(): RunState {
    if (!run) {
      throw new AppProblem('This works in functions of the app, not while the app is described.')
    }
    run.ended.throwIfAborted()
    return run
  }

  function refuse(id: number, error: unknown): void {
    const callError = toCallError(error)
    if (!callError && run && !run.ended.aborted) run.serviceFault ??= String(error)
    const message = describeOutage(error) ?? 'The service could not do this just now.'
    const unknown = { name: 'Error', message }
    channel.send({ t: 'refuse', id, error: callError ?? unknown })
  }

  const queueCaptures = (of: RunState): CaptureQueue =>
    createCaptureQueue({
      limits,
      services: of.services,
      onStored(id) {
        pendingCaptures -= 1
        channel.send({ t: 'reply', id })
      },
      onFailed(id, error) {
        pendingCaptures -= 1
        // an app that does not await its events would not notice
        if (error instanceof AppProblem) of.log.write('PLUGIN', 'ERROR', toRefusal(error))
        else of.hasLostEvents = true
        refuse(id, error)
      },
      pause: channel.pause,
      resume: channel.resume,
    })

  async function serve({ id, name, args }: Call, bytes: number): Promise<void> {
    pendingCalls += 1
    pendingCallBytes += bytes
    try {
      const context = { ...options, streams, run: requireRun(), stream: id }
      const value = await handleCall(context, name, args)
      throttle(toFrameCost(FRAME.control, channel.send({ t: 'reply', id, value })))
    } catch (error) {
      refuse(id, error)
    } finally {
      pendingCalls -= 1
      pendingCallBytes -= bytes
    }
  }

  async function end(ended: RunState): Promise<void> {
    streams.abortAll()
    await ended.end()
    await waitAtMost(Promise.allSettled([captures?.idle(), ...serving]), limits.waitMs)
  }

  function setRun(next: RunState): void {
    run = next
    nextRun = undefined
    captures = queueCaptures(next)
    ending = undefined
  }

  return {
    streams,
    get run() {
      return run
    },
    get pendingCount() {
      return pendingCalls + pendingCaptures + streams.countAwaitingSource()
    },
    startRun(next) {
      if (!run) setRun(next)
      else if (run !== next) nextRun = next
    },
    handleStarted() {
      if (nextRun) setRun(nextRun)
    },
    async endRun() {
      if (run) ending ??= end(run)
      await ending
    },
    handleCall(call, bytes) {
      if (pendingCalls >= MAX_PENDING_CALLS || pendingCallBytes >= MAX_PENDING_CALL_BYTES) {
        throw new BrokenFrame('more calls than may wait at once')
      }
      const served = serve(call, bytes)
      serving.add(served)
      return served.finally(() => serving.delete(served))
    },
    handleCaptures(content) {
      if (content.length < 4) throw new BrokenFrame('a batch without an ID')
      const id = content.readUInt32BE(0)
      try {
        requireRun()
      } catch (error) {
        return refuse(id, error)
      }
      pendingCaptures += 1
      captures?.add(id, content.subarray(4))
    },
    handleReport(report) {
      if (!run) return
      if (report.t === 'uncaught') return run.log.write('PLUGIN', 'ERROR', report.message)
      if (run.ended.aborted) return
      if (report.t === 'progress') {
        const { done, total } = report
        const message = run.mask(report.message, MAX_PROGRESS_MESSAGE_LENGTH)
        run.progress.report({ done, total, message })
      } else run.log.write('CONSOLE', report.type as LogLine['type'], report.message)
    },
  }
}

const toRefusal = ({ message }: AppProblem): string => `Events were refused: ${message}`
