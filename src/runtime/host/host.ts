import type { Egress } from '#server/egress/egress.ts'
import { AppProblem, type AppServices, type AppSpec, type LogLine } from '../contract.ts'
import type { Limits } from '../limits.ts'
import type { Channel } from '../process/channel.ts'
import type { FromApp } from '../process/protocol.ts'
import { readCaptures } from '../process/validate-message.ts'
import { toCallError } from './call-error.ts'
import { createCaptureQueue } from './capture-queue.ts'
import { handleCall } from './handle-call.ts'
import { createMask } from './mask.ts'
import { createRunState, type RunState } from './run-state.ts'
import { createStreams, type Streams } from './streams.ts'

const MAX_PROGRESS_MESSAGE = 1000

export interface HostOptions {
  readonly spec: AppSpec
  readonly limits: Limits
  readonly egress: Egress
  readonly channel: Channel
}

type Call = Extract<FromApp, { t: 'call' }>
type Told = Extract<FromApp, { t: 'log' | 'problem' | 'progress' }>

/** Everything that the process of one config can ask for. */
export interface Host {
  readonly streams: Streams
  readonly mask: (text: string) => string
  /** The last one that began; none before the first. */
  readonly run: RunState | undefined
  /** What the app waits for and is not its own doing. */
  readonly waiting: number
  begin(services: AppServices): void
  /** Closes what the run has left open, and passes on what it said last. */
  end(): Promise<void>
  call(call: Call): Promise<void>
  capture(content: Buffer): void
  tell(told: Told): void
}

export function createHost(options: HostOptions): Host {
  const { spec, limits, channel } = options
  const mask = createMask(spec.secrets)
  const streams = createStreams(channel)
  let run: RunState | undefined
  let unanswered = 0

  function requireRun(): RunState {
    if (run) return run
    throw new AppProblem('This can be used in functions of the app, and not while it is described.')
  }

  function refuse(id: number, error: unknown): void {
    const known = toCallError(error)
    if (!known && run && !run.ending.signal.aborted) run.fault ??= String(error)
    const words = known ?? { name: 'Error', message: 'The service could not do this just now.' }
    channel.send({ t: 'refuse', id, error: words })
  }

  const queue = createCaptureQueue({
    limits,
    store: (events) => requireRun().services.capture(events),
    stored(id) {
      unanswered -= 1
      channel.send({ t: 'reply', id })
    },
    failed(id, error) {
      unanswered -= 1
      if (run && !(error instanceof AppProblem)) run.lost = true
      refuse(id, error)
    },
    hold: channel.hold,
    release: channel.release,
  })

  return {
    streams,
    mask,
    get run() {
      return run
    },
    get waiting() {
      return unanswered + streams.hungry
    },
    begin(services) {
      run = createRunState(services, mask, options)
    },
    async end() {
      streams.dropAll()
      await run?.end()
    },
    async call({ id, name, args }) {
      unanswered += 1
      try {
        const context = { ...options, mask, streams, run: requireRun(), stream: id }
        channel.send({ t: 'reply', id, value: await handleCall(context, name, args) })
      } catch (error) {
        refuse(id, error)
      } finally {
        unanswered -= 1
      }
    },
    capture(content) {
      const batch = readCaptures(content)
      unanswered += 1
      queue.add(batch, content.length)
    },
    tell(told) {
      if (told.t === 'progress') {
        const message = mask(told.message).slice(0, MAX_PROGRESS_MESSAGE)
        run?.progress.report({ done: told.done, total: told.total, message })
      } else if (told.t === 'problem') run?.log.write('PLUGIN', 'ERROR', told.message)
      else run?.log.write('CONSOLE', told.type as LogLine['type'], told.message)
    },
  }
}
