import { setTimeout as sleep } from 'node:timers/promises'
import type { AppServices, AppSpec } from '../contract.ts'
import { Failure, STOPPED, waitTimeoutMessage } from '../failure.ts'
import { type AppProcess, type ProcessOptions, startProcess } from '../process/app-process.ts'
import type { AppDescription } from '../process/protocol.ts'

const ATTEMPTS = 5

export interface SetUpOptions extends ProcessOptions {
  /** Lets only so many processes start at once. */
  starting<T>(work: () => Promise<T>): Promise<T>
}

export interface LoadedProcess {
  readonly app: AppProcess
  readonly exports: AppDescription
}

/** Without services the app can ask for nothing. */
export const startAndLoad = (
  spec: AppSpec,
  services: AppServices | undefined,
  options: SetUpOptions,
  onProcess: (app: AppProcess) => void = () => {},
): Promise<LoadedProcess> =>
  options.starting(async () => {
    const app = await startProcess(spec, services, options)
    onProcess(app)
    try {
      return { app, exports: await app.load() }
    } catch (error) {
      await app.kill(STOPPED)
      throw error
    }
  })

/** A process whose app is set up. Throws a `Failure`. `onProcess` learns early of each one that is tried. */
export async function setUpApp(
  spec: AppSpec,
  services: AppServices,
  options: SetUpOptions,
  signal: AbortSignal,
  onProcess: (app: AppProcess) => void,
): Promise<AppProcess> {
  for (let attempt = 1, app: AppProcess | undefined; ; attempt += 1) {
    if (!app?.isAlive) ({ app } = await startAndLoad(spec, services, options, onProcess))
    try {
      await invokeWithin(app, { what: 'setup' }, options.limits.waitMs, spec)
      app.host.run?.log.write('SYSTEM', 'DEBUG', 'setupPlugin succeeded.')
      return app
    } catch (error) {
      const failure = error as Failure
      const again = failure.retry && attempt < ATTEMPTS && !signal.aborted
      const wait = options.limits.setupRetryMs * 2 ** (attempt - 1)
      const name = failure.retry ? `RetryError (attempt ${attempt}/${ATTEMPTS})` : 'an error'
      const why = failure.message.replace(/^RetryError: /, '')
      const next = again ? `Retrying in ${wait / 1000} s...` : 'The app cannot run.'
      app.host.run?.log.write('SYSTEM', 'ERROR', `setupPlugin failed with ${name}: ${why} ${next}`)
      if (!again) {
        await app.kill(STOPPED)
        throw failure
      }
      await sleep(wait, undefined, { signal }).catch(() => {})
    }
  }
}

/** `setupPlugin` and its like are bounded as a whole, and then the process is of no use any more. */
export async function invokeWithin(
  app: AppProcess,
  task: { readonly what: 'setup' | 'teardown' | 'migrate' },
  most: number,
  spec: AppSpec,
): Promise<unknown> {
  const name = { setup: 'setupPlugin', teardown: 'teardownPlugin', migrate: 'migrateConfig' }[
    task.what
  ]
  const timer = setTimeout(() => {
    void app.kill(new Failure('app', waitTimeoutMessage(most, spec, name), { retry: true }))
  }, most)
  try {
    return await app.invoke(task)
  } finally {
    clearTimeout(timer)
  }
}
