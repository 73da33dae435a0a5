import { invalid } from '#server/errors.ts'
import { AppProblem, type AppTask, type Runtime } from '#server/runtime/contract.ts'
import { listMissingSettings, toAppConfig, toMissingMessage } from '../configs/app-config.ts'
import { type AssembledApp, assembleApp } from '../plugins/package/assemble.ts'
import type { Plugin } from '../plugins/schema.ts'
import type { DraftOutcome, DraftTest } from './schema.ts'
import { limitTests, type TestDeps, type TestedApp, testApp } from './test-app.ts'

export interface DraftDeps extends TestDeps {
  readonly runtime: Pick<Runtime, 'describe' | 'run' | 'evict'>
}

/** Compiles an app that is not installed and runs it once in the sandbox. It stores nothing. Throws an `AppProblem`. */
export const runDraft = (
  deps: DraftDeps,
  test: DraftTest,
  signal: AbortSignal,
): Promise<DraftOutcome> => limitTests(() => run(deps, test, signal))

async function run(
  deps: DraftDeps,
  { files, settings = {}, job }: DraftTest,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  signal.throwIfAborted()
  const { columns } = await assembleApp((code) => deps.runtime.describe(code), files)
  const plugin = toPlugin(columns)
  const task = chooseTask(plugin, job)
  const missing = listMissingSettings(plugin, settings, {})
  if (missing.length > 0) throw invalid('settings', toMissingMessage(missing))
  const app: TestedApp = {
    ...{ projectId: 0, pluginId: 0, pluginName: plugin.name },
    ...{ version: '', code: columns.code ?? '', attachments: {} },
    ...toAppConfig(plugin, settings),
  }
  return (await testApp(deps, app, task, signal)).outcome
}

const toPlugin = (columns: AssembledApp['columns']): Plugin => ({
  id: 0,
  name: columns.name,
  version: columns.version,
  description: columns.description,
  config_schema: JSON.parse(columns.config_schema),
  public_jobs: JSON.parse(columns.public_jobs),
  capabilities: JSON.parse(columns.capabilities),
})

/** Chooses what a test runs: the scheduled task, or else the first job. */
export function chooseTask({ capabilities }: Plugin, job: string | undefined): AppTask {
  const { scheduled_tasks = [], jobs = [] } = capabilities
  if (job !== undefined && !jobs.includes(job)) throw invalid('job', `The app has no job "${job}".`)
  const [task] = scheduled_tasks
  if (job === undefined && task !== undefined) {
    return { kind: 'schedule', name: task, payload: undefined }
  }
  const name = job ?? jobs[0]
  if (name === undefined) throw new AppProblem('The app has no job and no schedule to test.')
  return { kind: 'job', name, payload: {} }
}
