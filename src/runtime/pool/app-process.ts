import type { Egress } from '#server/egress/egress.ts'
import type { Turns } from '#server/turns.ts'
import type { ChildCode } from '../child/child-code.ts'
import type { AppSpec } from '../contract.ts'
import { Failure, loopTimeoutMessage, STOPPING } from '../failure.ts'
import { createHost, type Host } from '../host/host.ts'
import type { RunState } from '../host/run-state.ts'
import type { Limits } from '../limits.ts'
import { openChannel } from '../process/channel.ts'
import { exitFailure } from '../process/exit-failure.ts'
import { createBrake } from '../process/rate-limit.ts'
import { createRpc } from '../process/rpc.ts'
import type { ProcessSandbox, Sandbox } from '../process/sandbox.ts'
import { createWatchdog } from '../process/watchdog.ts'
import { PROVIDED_MODULES } from '../provided-packages.ts'
import type { AppDescription, Invocation } from '../wire/protocol.ts'
import { toAppMessage } from './app-message.ts'
import { createInbox } from './inbox.ts'

export interface ProcessOptions {
  readonly code: ChildCode
  readonly limits: Limits
  readonly sandbox: Sandbox
  readonly egress: Egress
  /** Shares the time of each turn of the event loop among the processes. */
  readonly turns: Turns
  /** Kills the process when it aborts. */
  readonly closing: AbortSignal
}

/** The process of one app. */
export interface AppProcess {
  readonly host: Host
  readonly isAlive: boolean
  /** Loads the app's code. Call it once, before anything else. Throws a `Failure`. */
  load(): Promise<AppDescription>
  /** Calls a function of the app. When it returns, the run ends, except after `setupPlugin`. Throws a `Failure`. */
  invoke(task: Invocation): Promise<unknown>
  /** Stops the process between runs, so that code that the app left running does nothing. */
  suspend(): void
  resume(): void
  /** Fails everything in progress with this reason. Resolves when the process is gone. */
  kill(reason: Failure): Promise<void>
}

/** The next run of a busy app often follows at once, and two signals for each take longer than a short run. */
const SUSPEND_AFTER_MS = 50

const SLOW_START = new Failure('infrastructure', "The app's process did not start in time.")

/** Starts a process that is ready and sandboxed, without any app code in it. Throws a `Failure`. */
export async function startProcess(
  spec: AppSpec,
  run: RunState | undefined,
  options: ProcessOptions,
): Promise<AppProcess> {
  const { limits, code, closing } = options
  const sandbox = openSandbox(options.sandbox)
  const ready = Promise.withResolvers<void>()
  let killReason: Failure | undefined
  let isLoaded = false
  let isSuspended = false
  let suspendTimer: NodeJS.Timeout | undefined

  const channel = openChannel({
    sandbox,
    turns: options.turns,
    bootstrap: code.bootstrap,
    limits,
    onFrame: (kind, content) => receive(kind, content),
    onFailure: (failure) => void kill(failure),
  })
  const rpc = createRpc(channel.send)
  const throttle = createBrake(channel, limits.callsPerSecond)
  const host = createHost({ ...options, spec, channel, throttle })
  const watchdog = createWatchdog({
    channel,
    limits,
    spec,
    countPending: () => host.pendingCount,
    onFailure: (failure) => void kill(failure),
  })
  const receive = createInbox({ rpc, host, watchdog, throttle, onReady: ready.resolve })
  if (run) host.startRun(run)

  const stop = () => void kill(STOPPING)
  closing.addEventListener('abort', stop)

  const gone = channel.exited.then((exit) => {
    killReason ??= exitFailure(exit, isLoaded)
    closing.removeEventListener('abort', stop)
    watchdog.stop()
    sandbox.close()
    ready.reject(killReason)
    const wasPending = rpc.close(killReason)
    if (!wasPending && killReason.by === 'app') {
      host.run?.log.write('PLUGIN', 'ERROR', killReason.message)
    }
    // not the run's end: `setupPlugin` may be tried again in another process
    host.streams.abortAll()
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
    await kill(notSandboxed(error))
    throw killReason
  })
  channel.send({ t: 'prelude', code: code.prelude, modules: PROVIDED_MODULES })
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
    invoke(task) {
      const onResponse = task.kind === 'setup' ? undefined : () => void host.endRun()
      return watchdog.watchTask(task, rpc.request({ t: 'invoke', task }, onResponse))
    },
    suspend() {
      // a suspended process that outlived the server would never exit
      if (killReason || !options.sandbox.endsWithServer) return
      watchdog.stop()
      suspendTimer = setTimeout(() => {
        isSuspended = true
        channel.suspend()
      }, SUSPEND_AFTER_MS).unref()
    },
    resume() {
      if (killReason || !options.sandbox.endsWithServer) return
      clearTimeout(suspendTimer)
      if (isSuspended) channel.continue()
      isSuspended = false
      watchdog.start()
    },
    kill,
  }
}

function openSandbox(sandbox: Sandbox): ProcessSandbox {
  try {
    return sandbox.open()
  } catch (error) {
    throw notSandboxed(error as Error)
  }
}

const notSandboxed = ({ message }: Error): Failure =>
  new Failure('infrastructure', `The app's process could not be sandboxed: ${message}`)

const isName = (name: unknown): name is string => typeof name === 'string' && name.length <= 400

/** Keeps what is valid of a description, since the app's process may send anything. */
function toDescription(value: unknown): AppDescription {
  const names = (field: string): string[] => {
    const list = (value as Record<string, unknown> | null)?.[field]
    return Array.isArray(list) ? list.filter(isName).slice(0, 1000) : []
  }
  return {
    scheduled_tasks: names('scheduled_tasks'),
    jobs: names('jobs'),
    methods: names('methods'),
  }
}
