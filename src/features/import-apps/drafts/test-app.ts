import { MAX_TEST_ROWS } from '#model/limits.ts'
import { createLimit } from '#server/concurrency.ts'
import { convertAppEvents } from '#server/features/events/capture/convert-app-events.ts'
import type { Converter } from '#server/features/events/capture/converter.ts'
import {
  AppProblem,
  type AppServices,
  type AppSpec,
  type AppStorage,
  type AppTask,
  type Runtime,
} from '#server/runtime/contract.ts'
import { PREVIEW_LENGTH } from '../runs/preview-store.ts'
import { createPreview } from '../runs/services/event-sinks.ts'
import { createTestCache, createTestStorage } from '../runs/services/test-state.ts'
import type { DraftOutcome } from './schema.ts'

export interface TestDeps {
  readonly runtime: Pick<Runtime, 'run' | 'evict'>
  readonly converter: Converter
}

export type TestedApp = Omit<AppSpec, 'configId'>

interface TestResult {
  readonly outcome: DraftOutcome
  /** Reads what the app stored, of which nothing is kept. */
  readonly storage: Pick<AppStorage, 'get'>
}

const TIMEOUT_MS = 60_000
const MAX_LOG_LINES = 100
/** Each has a process of its own, so that a few cannot take the memory of the server. */
export const limitTests = createLimit(2)

/** The IDs of tests are below those of configs, because each has a process of its own. */
let lastId = 0

/** Runs an app once in the sandbox, and keeps the beginning of what it does. It stores nothing. */
export async function testApp(
  { runtime, converter }: TestDeps,
  app: TestedApp,
  task: AppTask,
  signal: AbortSignal,
): Promise<TestResult> {
  signal.throwIfAborted()
  const configId = --lastId
  const { services, storage, enough, finish } = createTestServices(converter)
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const end = (...outcome: Parameters<typeof finish>) => ({ outcome: finish(...outcome), storage })
  try {
    const stop = AbortSignal.any([signal, enough, timeout])
    const outcome = await runtime.run({ ...app, configId }, services, task, stop)
    signal.throwIfAborted()
    if (outcome.ended === 'failed') return end('failed', outcome.message)
    if (!enough.aborted && timeout.aborted) {
      return end('failed', `The test was stopped after ${TIMEOUT_MS / 1000} s.`)
    }
    return end('succeeded', '')
  } finally {
    await runtime.evict(configId)
  }
}

const refuse = async (): Promise<never> => {
  throw new AppProblem('A test run stores nothing, so it has no posthog.api.')
}

/** Keeps the beginning of what the app does, and says when that is enough. */
function createTestServices(converter: Converter) {
  const preview = createPreview()
  const enough = new AbortController()
  const skipped: DraftOutcome['skipped'] = []
  const log: DraftOutcome['log'] = []
  const counts = { count: 0, skipped_count: 0 }
  const add = (name: keyof typeof counts, number: number) => {
    counts[name] += number
    if (counts.count + counts.skipped_count >= MAX_TEST_ROWS) enough.abort()
  }
  const storage = createTestStorage()
  const services: AppServices = {
    storage,
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
  return { services, storage, enough: enough.signal, finish }
}
