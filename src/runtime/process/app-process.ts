import type { Egress } from '#server/egress/egress.ts'
import type { ChildCode } from '../child/child-code.ts'
import type { AppServices, AppSpec } from '../contract.ts'
import { Failure, loopTimeoutMessage, STOPPING, toFailure } from '../failure.ts'
import { createHost, type Host } from '../host/host.ts'
import type { Limits } from '../limits.ts'
import { openChannel } from './channel.ts'
import { createInbox } from './inbox.ts'
import type { AppDescription, Invocation } from './protocol.ts'
import { createRpc } from './rpc.ts'
import type { Sandbox } from './sandbox.ts'
import { sendApp } from './send-app.ts'
import { createWatchdog } from './watchdog.ts'

export interface ProcessOptions {
  readonly code: ChildCode
  readonly limits: Limits
  readonly seal: Sandbox
  readonly egress: Egress
  /** No process outlives this. */
  readonly closing: AbortSignal
}

/** A process of its own for one app. */
export interface AppProcess {
  readonly host: Host
  readonly isAlive: boolean
  /** What the app exports. Throws a `Failure`. Once, and before anything else. */
  load(): Promise<AppDescription>
  /** Throws a `Failure`. */
  invoke(task: Invocation, payload?: unknown): Promise<unknown>
  /** All that is under way fails with this. Resolves when the process is gone. */
  kill(reason: Failure): Promise<void>
}

/** Ready and sealed, without any app code in it. Throws a `Failure`. */
export async function startProcess(
  spec: AppSpec,
  services: AppServices | undefined,
  options: ProcessOptions,
): Promise<AppProcess> {
  const { limits, seal, code, closing } = options
  const ready = Promise.withResolvers<void>()
  const conversation = createRpc()
  let reason: Failure | undefined
  let isLoaded = false

  const channel = openChannel({
    seal,
    bootstrap: code.bootstrap,
    limits,
    onFrame: (kind, content) => receive(kind, content),
    onFailure: (failure) => void kill(failure),
  })
  const host = createHost({ ...options, spec, channel })
  const watch = createWatchdog({
    channel,
    limits,
    spec,
    waiting: () => host.waiting,
    onFailure: (failure) => void kill(failure),
  })
  const receive = createInbox({
    channel,
    conversation,
    host,
    limits,
    watch,
    onReady: ready.resolve,
  })
  if (services) host.begin(services)

  const stop = () => void kill(STOPPING)
  closing.addEventListener('abort', stop)

  const gone = channel.exited.then(async (exit) => {
    reason ??= toFailure(exit, isLoaded)
    closing.removeEventListener('abort', stop)
    watch.stop()
    ready.reject(reason)
    const wasAsked = conversation.close(reason)
    if (!wasAsked && reason.by === 'app') host.run?.log.write('PLUGIN', 'ERROR', reason.message)
    await host.end()
  })

  async function kill(failure: Failure): Promise<void> {
    reason ??= failure
    channel.kill()
    await gone
  }

  async function within<T>(most: number, late: Failure, work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => void kill(late), most)
    try {
      return await work
    } finally {
      clearTimeout(timer)
    }
  }

  if (closing.aborted) stop()
  await within(limits.loadMs, TOO_SLOW, ready.promise)
  await seal.restrict(channel.pid, limits).catch(async (error: Error) => {
    await kill(new Failure('infrastructure', `The app's process was not sealed: ${error.message}`))
    throw reason
  })
  channel.send({ t: 'prelude', code: code.prelude })
  watch.start()

  return {
    host,
    get isAlive() {
      return !reason
    },
    async load() {
      const looped = new Failure('app', loopTimeoutMessage(limits.loadMs))
      const loading = conversation.request((id) => sendApp(id, spec, { channel, limits, host }))
      const loaded = await within(limits.loadMs, looped, loading)
      isLoaded = true
      return toLoadedApp(loaded)
    },
    invoke: (task, payload) =>
      watch.during(task, () =>
        conversation.request((id) => channel.send({ t: 'invoke', id, task, payload })),
      ),
    kill,
  }
}

const TOO_SLOW = new Failure('infrastructure', "The app's process did not start in time.")

/** As checked as everything else that comes from there. */
function toLoadedApp(value: unknown): AppDescription {
  const names = (of: string): string[] => {
    const list = (value as Record<string, unknown> | null)?.[of]
    return Array.isArray(list) ? list.filter((name) => typeof name === 'string').slice(0, 1000) : []
  }
  return {
    scheduled_tasks: names('scheduled_tasks'),
    jobs: names('jobs'),
    methods: names('methods'),
  }
}
