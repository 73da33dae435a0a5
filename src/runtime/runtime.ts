import { availableParallelism } from 'node:os'
import { createKeyedMutex, createLimit } from '../concurrency.ts'
import { createEgress } from '../egress/egress.ts'
import { childCode } from './child/child-code.ts'
import {
  type AppOutcome,
  AppProblem,
  type AppServices,
  type AppSpec,
  type AppTask,
  type Runtime,
  type RuntimeOptions,
} from './contract.ts'
import { Failure, STOPPED } from './failure.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { concludeRun } from './pool/conclude-run.ts'
import { createProcessPool } from './pool/process-pool.ts'
import { invokeWithin, type SetUpOptions, setUpApp, startAndLoad } from './pool/set-up.ts'
import type { AppProcess } from './process/app-process.ts'
import { findSandbox, type Sandbox } from './process/sandbox.ts'

const CANCELLED = new Failure('infrastructure', 'The run was cancelled.')

/** For code that belongs to no config yet. */
const NOBODYS: Omit<AppSpec, 'code'> = {
  configId: 0,
  projectId: 0,
  pluginId: 0,
  pluginName: '',
  version: '',
  config: {},
  secrets: [],
  attachments: {},
}

/** Node opens its debugger to whoever sends this signal, and an app's process may run as the same user. */
const ignoreSignal = () => {}

export function createRuntime(options: RuntimeOptions): Runtime {
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits }
  const reserve = createProcessPool(limits)
  const egress = createEgress(options)
  const inTurn = createKeyedMutex<number>()
  const starting = createLimit(availableParallelism())
  const closing = new AbortController()
  const running = new Set<Promise<AppOutcome>>()
  let known: Sandbox | undefined
  if (!process.listeners('SIGUSR1').includes(ignoreSignal)) process.on('SIGUSR1', ignoreSignal)

  /** Looked for when the first app runs: a server without apps need not know. */
  function getSeal(): Sandbox {
    if (!known) {
      known = (options.findSandbox ?? findSandbox)()
      if (known.missing && !options.requireSandbox)
        options.warn(`Apps are not wholly sealed: ${known.missing}`)
    }
    if (!known.missing || !options.requireSandbox) return known
    throw new Failure(
      'infrastructure',
      `Apps do not run here, since the seal is required: ${known.missing}`,
    )
  }

  const setUpOptions = async (): Promise<SetUpOptions> => {
    const seal = getSeal()
    return { limits, egress, starting, seal, closing: closing.signal, code: await childCode() }
  }

  async function runTask(
    spec: AppSpec,
    services: AppServices,
    task: AppTask,
    signal: AbortSignal,
  ): Promise<AppOutcome> {
    let app: AppProcess | undefined
    const cancel = () => void app?.kill(CANCELLED)
    signal.addEventListener('abort', cancel)
    const ceiling = setTimeout(() => {
      const hours = limits.runMs / 3_600_000
      void app?.kill(new Failure('app', `The run took longer than ${hours} hours and was ended.`))
    }, limits.runMs)
    try {
      signal.throwIfAborted()
      app = await reserve.acquire(spec, async () =>
        setUpApp(spec, services, await setUpOptions(), signal, (started) => {
          app = started
          if (signal.aborted) cancel()
        }),
      )
      // set up in this run, it has begun already
      if (app.host.run?.ending.signal.aborted) app.host.begin(services)
      signal.throwIfAborted()
      await app.invoke({ what: task.kind, name: task.name }, task.payload)
      await app.host.end()
      return concludeRun(app, undefined, options.warn)
    } catch (error) {
      await app?.host.end()
      if (signal.aborted) return { ended: 'cancelled' }
      return concludeRun(app, toKnown(error), options.warn)
    } finally {
      clearTimeout(ceiling)
      signal.removeEventListener('abort', cancel)
      await reserve.release(spec.configId)
    }
  }

  /** What is not the app's doing and nobody has foreseen is told to the operator. */
  function toKnown(error: unknown): Failure {
    if (error instanceof Failure) return error
    options.warn(`An app could not be run: ${(error as Error).stack ?? error}`)
    return new Failure('infrastructure', 'The app could not be run just now.')
  }

  return {
    async run(spec, services, task, signal) {
      const outcome = inTurn(spec.configId, () => runTask(spec, services, task, signal))
      running.add(outcome)
      try {
        return await outcome
      } finally {
        running.delete(outcome)
      }
    },
    async migrateConfig(spec, services) {
      const { app } = await orProblem(async () =>
        startAndLoad(spec, services, await setUpOptions()),
      )
      try {
        return toSettings(
          await orProblem(() => invokeWithin(app, { what: 'migrate' }, limits.waitMs, spec)),
        )
      } finally {
        await app.kill(STOPPED)
      }
    },
    async describe(code) {
      const { app, exports } = await orProblem(async () =>
        startAndLoad({ ...NOBODYS, code }, undefined, await setUpOptions()),
      )
      await app.kill(STOPPED)
      return exports
    },
    evict: reserve.evict,
    async close() {
      await reserve.close()
      closing.abort()
      await Promise.allSettled(running)
      await egress.close()
    },
  }
}

function toSettings(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>
  }
  throw new AppProblem('migrateConfig must return the settings as an object.')
}

async function orProblem<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure && error.by === 'app') throw new AppProblem(error.message)
    throw error
  }
}
