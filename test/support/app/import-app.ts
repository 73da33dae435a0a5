import { onTestFinished } from 'vitest'
import { compileApp } from '#server/runtime/compile.ts'
import type { Services } from '#server/services.ts'
import { startWorker, type Worker } from '#server/worker/worker.ts'
import { until } from '../until.ts'
import { CONFIGS, startApp, type TestApp } from './app.ts'
import { installPlugin, type TestPlugin } from './plugin.ts'

export interface RunningApp extends TestApp {
  readonly worker: Worker
  readonly pluginId: number
  /** Queues a run of the job and waits until it has ended. */
  runJob(type: string, payload?: object): Promise<EndedRun>
  /** Waits until the run has one of these states. */
  waitForRun(id: string, ...states: string[]): Promise<EndedRun>
  /** Lists the log lines, oldest first. */
  logged(): Promise<string[]>
}

// biome-ignore lint/suspicious/noExplicitAny: the test knows the type of the run
export type EndedRun = any

const ENDED = ['succeeded', 'failed', 'cancelled']

/** Creates an enabled config of an app with this source, and starts a worker. */
export async function startImportApp(
  source: string,
  {
    settings,
    env,
    ...plugin
  }: TestPlugin & { settings?: object; env?: Record<string, string> } = {},
): Promise<RunningApp> {
  const api = await startApp(undefined, env)
  const pluginId = await installPlugin(api.db, {
    public_jobs: { work: { payload: { n: { type: 'number' } } } },
    ...plugin,
    code: await compileApp({ 'index.ts': source }, 'index.ts'),
  })
  await api.post(CONFIGS, { plugin: pluginId, enabled: true })
  if (settings) await api.patch(`${CONFIGS}/1/settings`, { settings })
  const worker = startTestWorker(api)
  const waitForRun: RunningApp['waitForRun'] = (run, ...states) =>
    until(async () => {
      const { body } = await api.get(`${CONFIGS}/1/runs/${run}`)
      return (states.length > 0 ? states : ENDED).includes(body.state) && body
    })
  return {
    ...api,
    worker,
    pluginId,
    waitForRun,
    async runJob(type, payload = {}) {
      const job = { type, payload }
      const { body } = await api.post(`${CONFIGS}/1/job`, { job }, { accept: 'application/json' })
      return waitForRun(body.id)
    },
    async logged() {
      const { body } = await api.get(`${CONFIGS}/1/logs?limit=1000`)
      return body.results.map(({ message }: { message: string }) => message).reverse()
    },
  }
}

export function startTestWorker(
  api: TestApp,
  broken: Partial<Services> = {},
  { concurrency = 4 } = {},
): Worker {
  const worker = startWorker(
    { ...api.services, ...broken },
    {
      log: api.app.log,
      concurrency,
      origin: () => api.url,
    },
  )
  onTestFinished(() => worker.stop())
  return worker
}
