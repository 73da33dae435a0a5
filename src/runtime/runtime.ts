import { availableParallelism } from 'node:os'
import { createKeyedMutex, createLimit } from '../concurrency.ts'
import { createEgress } from '../egress/egress.ts'
import { createTurns } from '../turns.ts'
import { getChildCode } from './child/child-code.ts'
import {
  type AppOutcome,
  AppProblem,
  type AppServices,
  type AppSpec,
  type AppTask,
  type Runtime,
} from './contract.ts'
import { Failure, STOPPED } from './failure.ts'
import { createConfigBudgets } from './host/host-budgets.ts'
import { createRunState } from './host/run-state.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import type { AppProcess } from './pool/app-process.ts'
import { concludeRequests, concludeRun } from './pool/conclude-run.ts'
import { createProcessPool } from './pool/process-pool.ts'
import { invokeWithin, killOnAbort, type SetUpOptions, setUpApp, startApp } from './pool/set-up.ts'
import type { UserRange } from './process/app-users.ts'
import { findSandbox, type Sandbox } from './process/sandbox.ts'

export interface RuntimeOptions {
  /** Host names, addresses and CIDRs that apps may reach although they are private. */
  readonly allowedHosts: readonly string[]
  /** Refuses to run apps where the kernel's part of the sandbox is missing. */
  readonly requireSandbox: boolean
  /** The users of apps' processes if the server is root. */
  readonly appUsers?: UserRange
  /** Redirects host names, for tests and for operators who mirror an API. */
  readonly hostMap?: Readonly<Record<string, string>>
  /** Overrides for tests. */
  readonly limits?: Partial<Limits>
  readonly findSandbox?: () => Sandbox
  /** Reports a problem to the operator. */
  warn(message: string): void
}

const CANCELED = new Failure('infrastructure', 'The run was canceled.')

/** Describes code that belongs to no config yet. */
const NO_CONFIG: Omit<AppSpec, 'code'> = {
  configId: 0,
  projectId: 0,
  pluginId: 0,
  pluginName: '',
  version: '',
  config: {},
  secrets: [],
  attachments: {},
}

/** SIGUSR1 makes Node open its debugger, and an app's process may run as the same user. */
const ignoreSignal = () => {}

export function createRuntime(options: RuntimeOptions): Runtime {
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits }
  const pool = createProcessPool(limits)
  const egress = createEgress(options)
  const oneRunPerConfig = createKeyedMutex<number>()
  const budgets = createConfigBudgets()
  const runOptions = (configId: number) => ({ limits, egress, budgets: budgets.get(configId) })
  const limitStarts = createLimit(availableParallelism())
  const turns = createTurns()
  const closing = new AbortController()
  const running = new Set<Promise<AppOutcome>>()
  let sandbox: Sandbox | undefined
  if (!process.listeners('SIGUSR1').includes(ignoreSignal)) process.on('SIGUSR1', ignoreSignal)

  /** Waits for the first app: a server without apps needs no sandbox and no warning. */
  function getSandbox(): Sandbox {
    if (!sandbox) {
      sandbox = options.findSandbox?.() ?? findSandbox(options.appUsers)
      if (sandbox.missing && !options.requireSandbox)
        options.warn(`The app sandbox is incomplete: ${sandbox.missing}`)
    }
    if (!sandbox.missing || !options.requireSandbox) return sandbox
    throw new Failure(
      'infrastructure',
      `Apps do not run here because the sandbox is required: ${sandbox.missing}`,
    )
  }

  const getSetUpOptions = async (): Promise<SetUpOptions> => ({
    limits,
    egress,
    limitStarts,
    turns,
    sandbox: getSandbox(),
    closing: closing.signal,
    code: await getChildCode(),
  })

  /** Aborts when the caller cancels the run or the run takes too long. The reason is a `Failure`. */
  function startRunClock(signal: AbortSignal): { signal: AbortSignal; stop(): void } {
    const ended = new AbortController()
    const cancel = () => ended.abort(CANCELED)
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel)
    const timer = setTimeout(() => {
      const hours = limits.runMs / 3_600_000
      ended.abort(new Failure('app', `The run took longer than ${hours} hours and was stopped.`))
    }, limits.runMs)
    const stop = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
    }
    return { signal: ended.signal, stop }
  }

  async function runTask(
    spec: AppSpec,
    services: AppServices,
    task: AppTask,
    signal: AbortSignal,
  ): Promise<AppOutcome> {
    const { kind } = task
    let isSettingUp = true
    const enqueue: AppServices['enqueue'] = async (job) => {
      // the set-up's own run queues its jobs: each new process would queue them again
      if (kind === 'setup' || !isSettingUp) await services.enqueue(job)
    }
    const run = createRunState(spec, { ...services, enqueue }, runOptions(spec.configId))
    const clock = startRunClock(signal)
    let app: AppProcess | undefined
    try {
      clock.signal.throwIfAborted()
      if (kind === 'setup') await pool.evict(spec.configId)
      app = await pool.acquire(spec, async () =>
        setUpApp(spec, run, await getSetUpOptions(), clock.signal),
      )
      clock.signal.throwIfAborted()
      app.host.startRun(run)
      isSettingUp = false
      const result =
        kind === 'setup'
          ? undefined
          : await killOnAbort(app, clock.signal, app.invoke({ ...task, kind }))
      await app.host.endRun()
      return kind === 'requests'
        ? concludeRequests(run, result, (task.payload as unknown[]).length, options.warn)
        : concludeRun(run, undefined, options.warn)
    } catch (error) {
      await app?.host.endRun()
      if (signal.aborted) return { ended: 'cancelled' }
      return concludeRun(run, toFailure(error), options.warn)
    } finally {
      clock.stop()
      await run.end()
      await pool.release(spec.configId)
    }
  }

  /** Tells the operator about an unexpected error, which is never the app's fault. */
  function toFailure(error: unknown): Failure {
    if (error instanceof Failure) return error
    options.warn(`An app could not be run: ${(error as Error).stack ?? error}`)
    return new Failure('infrastructure', 'The app could not be run just now.')
  }

  return {
    async run(spec, services, task, signal) {
      const outcome = oneRunPerConfig(spec.configId, () => runTask(spec, services, task, signal))
      running.add(outcome)
      try {
        return await outcome
      } finally {
        running.delete(outcome)
      }
    },
    async migrateConfig(spec, services) {
      const run = createRunState(spec, services, runOptions(spec.configId))
      const { app } = await withAppProblems(async () =>
        startApp(spec, run, await getSetUpOptions()),
      )
      try {
        const config = await withAppProblems(() =>
          invokeWithin(app, { kind: 'migrate' }, limits.waitMs, spec),
        )
        return toConfig(config)
      } finally {
        await app.kill(STOPPED)
        await run.end()
      }
    },
    async describe(code) {
      const { app, description } = await withAppProblems(async () =>
        startApp({ ...NO_CONFIG, code }, undefined, await getSetUpOptions()),
      )
      await app.kill(STOPPED)
      return description
    },
    async evict(configId) {
      budgets.forget(configId)
      await pool.evict(configId)
    },
    async close() {
      await pool.close()
      closing.abort()
      await Promise.allSettled(running)
      await egress.close()
    },
  }
}

function toConfig(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>
  }
  throw new AppProblem('migrateConfig must return the settings as an object.')
}

/** Turns a failure by the app into an `AppProblem`, which callers show to the user. */
async function withAppProblems<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure && error.by === 'app') throw new AppProblem(error.message)
    throw error
  }
}
