import { setTimeout as sleep } from 'node:timers/promises'
import type { AppSpec } from '../contract.ts'
import { Failure, STOPPED, waitTimeoutMessage } from '../failure.ts'
import type { RunState } from '../host/run-state.ts'
import { type AppDescription, HOOKS, type Invocation } from '../wire/protocol.ts'
import { type AppProcess, type ProcessOptions, startProcess } from './app-process.ts'

const MAX_ATTEMPTS = 5

export interface SetUpOptions extends ProcessOptions {
  /** Limits how many processes start at once. */
  limitStarts<T>(start: () => Promise<T>): Promise<T>
}

export interface StartedApp {
  readonly app: AppProcess
  readonly description: AppDescription
}

/** Starts a process and loads the app. Without a run, the app can call nothing. Throws a `Failure`. */
export const startApp = (
  spec: AppSpec,
  run: RunState | undefined,
  options: SetUpOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<StartedApp> =>
  options.limitStarts(async () => {
    const app = await startProcess(spec, run, options)
    try {
      return { app, description: await killOnAbort(app, signal, app.load()) }
    } catch (error) {
      await app.kill(STOPPED)
      throw error
    }
  })

/** Starts a process whose app has run `setupPlugin`, retrying a `RetryError`. Throws a `Failure`. */
export async function setUpApp(
  spec: AppSpec,
  run: RunState,
  options: SetUpOptions,
  signal: AbortSignal,
): Promise<AppProcess> {
  const { limits } = options
  let app: AppProcess | undefined
  for (let attempt = 1; ; attempt += 1) {
    if (!app?.isAlive) ({ app } = await startApp(spec, run, options, signal))
    try {
      const setUp = invokeWithin(app, { kind: 'setup' }, limits.waitMs, spec)
      await killOnAbort(app, signal, setUp)
      run.log.write('SYSTEM', 'DEBUG', 'setupPlugin succeeded.')
      return app
    } catch (error) {
      const failure = error as Failure
      const retryMs =
        failure.retry && attempt < MAX_ATTEMPTS && !signal.aborted
          ? limits.setupRetryMs * 2 ** (attempt - 1)
          : undefined
      run.log.write('SYSTEM', 'ERROR', setUpError(failure, attempt, retryMs))
      if (retryMs !== undefined) await sleep(retryMs, undefined, { signal }).catch(() => {})
      if (retryMs === undefined || signal.aborted) {
        await app.kill(STOPPED)
        throw signal.aborted ? signal.reason : failure
      }
    }
  }
}

function setUpError(failure: Failure, attempt: number, retryMs: number | undefined): string {
  const name = failure.retry ? `RetryError (attempt ${attempt}/${MAX_ATTEMPTS})` : 'an error'
  const reason = failure.message.replace(/^RetryError: /, '')
  const next = retryMs === undefined ? 'The app cannot run.' : `Retrying in ${retryMs / 1000} s...`
  return `setupPlugin failed with ${name}: ${reason} ${next}`
}

/** Bounds the time of `setupPlugin`, `teardownPlugin` or `migrateConfig`. A process that exceeds it is killed. */
export async function invokeWithin(
  app: AppProcess,
  task: Extract<Invocation, { kind: 'setup' | 'teardown' | 'migrate' }>,
  timeoutMs: number,
  spec: AppSpec,
): Promise<unknown> {
  const timer = setTimeout(() => {
    const message = waitTimeoutMessage(timeoutMs, spec, HOOKS[task.kind])
    void app.kill(new Failure('app', message, { retry: true }))
  }, timeoutMs)
  try {
    return await app.invoke(task)
  } finally {
    clearTimeout(timer)
  }
}

/** Kills the process with the signal's reason if the signal aborts before `work` settles. */
export async function killOnAbort<T>(
  app: AppProcess,
  signal: AbortSignal,
  work: Promise<T>,
): Promise<T> {
  const kill = () => void app.kill(signal.reason as Failure)
  if (signal.aborted) kill()
  signal.addEventListener('abort', kill)
  try {
    return await work
  } finally {
    signal.removeEventListener('abort', kill)
  }
}
