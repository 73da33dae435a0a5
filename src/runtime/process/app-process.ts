import type { Egress } from '#server/egress/egress.ts'
import type { ChildCode } from '../child/child-code.ts'
import type { AppSpec } from '../contract.ts'
import { exitFailure, Failure, loopTimeoutMessage, STOPPING } from '../failure.ts'
import { createHost, type Host } from '../host/host.ts'
import type { RunState } from '../host/run-state.ts'
import type { Limits } from '../limits.ts'
import { toAppMessage } from './app-message.ts'
import { openChannel } from './channel.ts'
import { createInbox } from './inbox.ts'
import type { AppDescription, Invocation } from './protocol.ts'
import { createRpc } from './rpc.ts'
import type { Sandbox } from './sandbox.ts'
import { createWatchdog } from './watchdog.ts'

export interface ProcessOptions {
  readonly code: ChildCode
  readonly limits: Limits
  readonly sandbox: Sandbox
  readonly egress: Egress
  /** Kills the process when it aborts. */
  readonly closing: AbortSignal
}

/** The process of one app. */
export interface AppProcess {
  readonly host: Host
  readonly isAlive: boolean
  /** Loads the app's code. Call it once, before anything else. Throws a `Failure`. */
  load(): Promise<AppDescription>
  /** Calls a function of the app. Throws a `Failure`. */
  invoke(task: Invocation): Promise<unknown>
  /** Fails everything in progress with this reason. Resolves when the process is gone. */
  kill(reason: Failure): Promise<void>
}

const SLOW_START = new Failure('infrastructure', "The app's process did not start in time.")

/** Starts a process that is ready and sandboxed, without any app code in it. Throws a `Failure`. */
export async function startProcess(
  spec: AppSpec,
  run: RunState | undefined,
  options: ProcessOptions,
): Promise<AppProcess> {
  const { limits, sandbox, code, closing } = options
  const ready = Promise.withResolvers<void>()
  let killReason: Failure | undefined
  let isLoaded = false

  const channel = openChannel({
    sandbox,
    bootstrap: code.bootstrap,
    limits,
    onFrame: (kind, content) => receive(kind, content),
    onFailure: (failure) => void kill(failure),
  })
  const rpc = createRpc(channel.send)
  const host = createHost({ ...options, spec, channel })
  const watchdog = createWatchdog({
    channel,
    limits,
    spec,
    countPending: () => host.pendingCount,
    onFailure: (failure) => void kill(failure),
  })
  const receive = createInbox({ channel, rpc, host, limits, watchdog, onReady: ready.resolve })
  if (run) host.startRun(run)

  const stop = () => void kill(STOPPING)
  closing.addEventListener('abort', stop)

  const gone = channel.exited.then(async (exit) => {
    killReason ??= exitFailure(exit, isLoaded)
    closing.removeEventListener('abort', stop)
    watchdog.stop()
    ready.reject(killReason)
    const wasPending = rpc.close(killReason)
    if (!wasPending && killReason.by === 'app') {
      host.run?.log.write('PLUGIN', 'ERROR', killReason.message)
    }
    await host.endRun()
  })

  async function kill(failure: Failure): Promise<void> {
    killReason ??= failure
    channel.kill()
    await gone
  }

  async function killAfter<T>(ms: number, failure: Failure, work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => void kill(failure), ms)
    try {
      return await work
    } finally {
      clearTimeout(timer)
    }
  }

  if (closing.aborted) stop()
  await killAfter(limits.loadMs, SLOW_START, ready.promise)
  await sandbox.restrict(channel.pid, limits).catch(async (error: Error) => {
    const message = `The app's process could not be sandboxed: ${error.message}`
    await kill(new Failure('infrastructure', message))
    throw killReason
  })
  channel.send({ t: 'prelude', code: code.prelude })
  watchdog.start()

  return {
    host,
    get isAlive() {
      return !killReason
    },
    async load() {
      const { app, streams } = toAppMessage(spec, limits)
      const loading = rpc.request({ t: 'load', app })
      for (const [stream, attachment] of streams) void host.streams.pump(stream, attachment.read())
      const tooSlow = new Failure('app', loopTimeoutMessage(limits.loadMs))
      const description = toDescription(await killAfter(limits.loadMs, tooSlow, loading))
      isLoaded = true
      return description
    },
    invoke: (task) => watchdog.watchTask(task, rpc.request({ t: 'invoke', task })),
    kill,
  }
}

/** Keeps what is valid of a description, since the app's process may send anything. */
function toDescription(value: unknown): AppDescription {
  const names = (field: string): string[] => {
    const list = (value as Record<string, unknown> | null)?.[field]
    return Array.isArray(list) ? list.filter((name) => typeof name === 'string').slice(0, 1000) : []
  }
  return {
    scheduled_tasks: names('scheduled_tasks'),
    jobs: names('jobs'),
    methods: names('methods'),
  }
}
