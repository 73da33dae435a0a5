import type { Egress } from '#server/egress/egress.ts'
import { AppProblem, type AppSpec, type LogLine } from '../contract.ts'
import type { Limits } from '../limits.ts'
import type { Channel } from '../process/channel.ts'
import type { FromApp } from '../process/protocol.ts'
import { readCaptures } from '../process/validate-message.ts'
import { toCallError } from './call-error.ts'
import { createCaptureQueue } from './capture-queue.ts'
import { handleCall } from './handle-call.ts'
import type { RunState } from './run-state.ts'
import { createStreams, type Streams } from './streams.ts'

const MAX_PROGRESS_MESSAGE_LENGTH = 1000

export interface HostOptions {
  readonly spec: AppSpec
  readonly limits: Limits
  readonly egress: Egress
  readonly channel: Channel
}

type Call = Extract<FromApp, { t: 'call' }>
/** A message that gets no reply. */
type Report = Extract<FromApp, { t: 'log' | 'uncaught' | 'progress' }>

/** The host's side of one app process: serves its calls and receives its events, logs and progress. */
export interface Host {
  readonly streams: Streams
  /** The current run, or the last one. undefined before the first. */
  readonly run: RunState | undefined
  /** The number of calls and streams that the app waits for through no fault of its own. */
  readonly pendingCount: number
  startRun(run: RunState): void
  /** Closes everything the run has left open. */
  endRun(): Promise<void>
  handleCall(call: Call): Promise<void>
  handleCaptures(content: Buffer): void
  handleReport(report: Report): void
}

export function createHost(options: HostOptions): Host {
  const { limits, channel } = options
  const streams = createStreams(channel)
  let run: RunState | undefined
  let pendingCalls = 0

  function requireRun(): RunState {
    if (run) return run
    throw new AppProblem('This works in functions of the app, not while the app is described.')
  }

  function refuse(id: number, error: unknown): void {
    const callError = toCallError(error)
    if (!callError && run && !run.ended.aborted) run.serviceFault ??= String(error)
    const unknown = { name: 'Error', message: 'The service could not do this just now.' }
    channel.send({ t: 'refuse', id, error: callError ?? unknown })
  }

  const captures = createCaptureQueue({
    limits,
    store: (events) => requireRun().services.capture(events),
    onStored(id) {
      pendingCalls -= 1
      channel.send({ t: 'reply', id })
    },
    onFailed(id, error) {
      pendingCalls -= 1
      if (run && !(error instanceof AppProblem)) run.hasLostEvents = true
      refuse(id, error)
    },
    pause: channel.pause,
    resume: channel.resume,
  })

  return {
    streams,
    get run() {
      return run
    },
    get pendingCount() {
      return pendingCalls + streams.countAwaitingSource()
    },
    startRun(next) {
      run = next
    },
    async endRun() {
      streams.abortAll()
      await run?.end()
    },
    async handleCall({ id, name, args }) {
      pendingCalls += 1
      try {
        const context = { ...options, streams, run: requireRun(), stream: id }
        channel.send({ t: 'reply', id, value: await handleCall(context, name, args) })
      } catch (error) {
        refuse(id, error)
      } finally {
        pendingCalls -= 1
      }
    },
    handleCaptures(content) {
      const batch = readCaptures(content)
      pendingCalls += 1
      captures.add(batch, content.length)
    },
    handleReport(report) {
      if (!run) return
      if (report.t === 'progress') {
        const { done, total } = report
        const message = run.mask(report.message).slice(0, MAX_PROGRESS_MESSAGE_LENGTH)
        run.progress.report({ done, total, message })
      } else if (report.t === 'uncaught') run.log.write('PLUGIN', 'ERROR', report.message)
      else run.log.write('CONSOLE', report.type as LogLine['type'], report.message)
    },
  }
}
