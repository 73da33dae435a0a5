import { MAX_TEST_ROWS } from '#model/limits.ts'
import { createLimit } from '#server/concurrency.ts'
import { invalid } from '#server/errors.ts'
import { convertAppEvents } from '#server/features/events/capture/convert-app-events.ts'
import type { Converter } from '#server/features/events/capture/converter.ts'
import {
  AppProblem,
  type AppServices,
  type AppSpec,
  type AppTask,
  type Runtime,
} from '#server/runtime/contract.ts'
import { listMissingSettings, toAppConfig, toMissingMessage } from '../configs/app-config.ts'
import { type AssembledApp, assembleApp } from '../plugins/package/assemble.ts'
import type { Plugin } from '../plugins/schema.ts'
import { PREVIEW_LENGTH } from '../runs/preview-store.ts'
import { createPreview } from '../runs/services/event-sinks.ts'
import { createTestCache, createTestStorage } from '../runs/services/test-state.ts'
import type { DraftOutcome, DraftTest } from './schema.ts'

export interface DraftDeps {
  readonly runtime: Pick<Runtime, 'describe' | 'run' | 'evict'>
  readonly converter: Converter
}

const TIMEOUT_MS = 60_000
const MAX_LOG_LINES = 100
/** Each has a process of its own, so that a few cannot take the memory of the server. */
const limitDrafts = createLimit(2)

/** The IDs of drafts are below those of configs, because each has a process of its own. */
let lastId = 0

/** Compiles an app that is not installed and runs it once in the sandbox. It stores nothing. Throws an `AppProblem`. */
export const runDraft = (
  deps: DraftDeps,
  test: DraftTest,
  signal: AbortSignal,
): Promise<DraftOutcome> => limitDrafts(() => run(deps, test, signal))

async function run(
  { runtime, converter }: DraftDeps,
  { files, settings = {}, job }: DraftTest,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  signal.throwIfAborted()
  const { columns } = await assembleApp((code) => runtime.describe(code), files)
  const plugin = toPlugin(columns)
  const task = chooseTask(plugin, job)
  const missing = listMissingSettings(plugin, settings, {})
  if (missing.length > 0) throw invalid('settings', toMissingMessage(missing))
  const configId = --lastId
  const spec: AppSpec = {
    ...{ configId, projectId: 0, pluginId: 0, pluginName: plugin.name },
    ...{ version: '', code: columns.code ?? '', attachments: {} },
    ...toAppConfig(plugin, settings),
  }
  const { services, enough, finish } = createDraftServices(converter)
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const stop = AbortSignal.any([signal, enough, timeout])
    const outcome = await runtime.run(spec, services, task, stop)
    signal.throwIfAborted()
    if (outcome.ended === 'failed') return finish('failed', outcome.message)
    if (!enough.aborted && timeout.aborted) {
      return finish('failed', `The test was stopped after ${TIMEOUT_MS / 1000} s.`)
    }
    return finish('succeeded', '')
  } finally {
    await runtime.evict(configId)
  }
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

function chooseTask({ capabilities }: Plugin, job: string | undefined): AppTask {
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

const refuse = async (): Promise<never> => {
  throw new AppProblem('A test run stores nothing, so it has no posthog.api.')
}

/** Keeps the beginning of what the app does, and says when that is enough. */
function createDraftServices(converter: Converter) {
  const preview = createPreview()
  const enough = new AbortController()
  const skipped: DraftOutcome['skipped'] = []
  const log: DraftOutcome['log'] = []
  const counts = { count: 0, skipped_count: 0 }
  const add = (name: keyof typeof counts, number: number) => {
    counts[name] += number
    if (counts.count + counts.skipped_count >= MAX_TEST_ROWS) enough.abort()
  }
  const services: AppServices = {
    storage: createTestStorage(),
    cache: createTestCache(),
    async capture(events) {
      await preview.add(events)
      add('count', events.length)
    },
    captureLarge: (json) =>
      convertAppEvents(converter, json, async (packed) => {
        await preview.addPacked(packed)
        for (const { count } of packed) add('count', count)
      }),
    enqueue: async () => {},
    async skip(rows) {
      const room = PREVIEW_LENGTH - skipped.length
      skipped.push(...rows.slice(0, room).map(({ reason, content }) => ({ reason, row: content })))
      add('skipped_count', rows.length)
    },
    log({ source, type, message }) {
      const isOfServer = source === 'SYSTEM' && type === 'DEBUG' // such as the set-up
      if (!isOfServer && log.length < MAX_LOG_LINES) log.push({ type, message })
    },
    progress: () => {},
    apiAccess: refuse,
  }
  const finish = (state: DraftOutcome['state'], message: string): DraftOutcome => ({
    ...{ state, message, ...counts, events: [...preview.events] },
    ...{ skipped: [...skipped], log: [...log] },
  })
  return { services, enough: enough.signal, finish }
}
