import { EventEmitter, once } from 'node:events'
import { watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describeLimitation } from '#model/app-limitation.ts'
import { pluralize } from '#model/pluralize.ts'
import { readConfig } from '../config.ts'
import { ApiError, OperatorError } from '../errors.ts'
import { createConverter } from '../features/events/capture/converter.ts'
import { runDraft } from '../features/import-apps/drafts/run-draft.ts'
import type { DraftOutcome } from '../features/import-apps/drafts/schema.ts'
import { readFolder } from '../features/import-apps/plugins/origin/folder.ts'
import { assembleApp } from '../features/import-apps/plugins/package/assemble.ts'
import { toExportedJobs } from '../features/import-apps/plugins/store.ts'
import { AppProblem, type Runtime } from '../runtime/contract.ts'
import { createRuntime } from '../runtime/runtime.ts'
import { type OutputFormat, print, toTable } from './print.ts'

/** Names beginning with a dot are not part of an app, so it is never installed. */
const SETTINGS_FILE = '.settings.json'
/** Editors save in several steps. */
const SETTLE_MS = 100
const IGNORED = /(^|\/)(\.(?!settings\.json$)|node_modules(\/|$))/

/** Compiles an app as an installation would, and says what it can do. */
export async function checkApp(folder: string, format: OutputFormat): Promise<void> {
  const { columns } = await withRuntime(async (runtime) =>
    assembleApp((code) => runtime.describe(code), await readFolder(resolve(folder))),
  )
  const { name, version, description } = columns
  const capabilities = JSON.parse(columns.capabilities)
  const { public_jobs, missing } = toExportedJobs(columns)
  const limitation = describeLimitation({ capabilities, public_jobs }, missing)
  const facts = { name, version, description, capabilities, public_jobs, limitation }
  const jobs = Object.keys(public_jobs)
  const lines = [
    `${[name, version].filter(Boolean).join(' ')} can be installed.`,
    `Runs:  ${capabilities.scheduled_tasks.join(', ') || '-'}`,
    `Jobs:  ${jobs.join(', ') || '-'}`,
    ...(limitation ? [limitation] : []),
  ]
  print(format, facts, lines.join('\n'))
}

interface DevOptions extends OutputFormat {
  readonly settings?: string
  readonly job?: string
  readonly once?: boolean
}

/** Runs an app in the sandbox, and again after each change of its files. Nothing is stored. */
export async function developApp(text: string, options: DevOptions): Promise<void> {
  const folder = resolve(text)
  const stopped = new AbortController()
  const stop = () => stopped.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  if (options.once) {
    const { state } = await withRuntime((runtime) =>
      testOnce(runtime, folder, options, stopped.signal),
    )
    if (state === 'failed') process.exitCode = 1
    return
  }
  const edits = new EventEmitter()
  const watcher = watch(folder, { recursive: true }, (_, name) => {
    if (!IGNORED.test(name ?? '')) edits.emit('edit')
  })
  try {
    await withRuntime((runtime) => testOnEdits(runtime, folder, { options, edits, stopped }))
  } finally {
    watcher.close()
  }
}

async function testOnEdits(
  runtime: Runtime,
  folder: string,
  {
    options,
    edits,
    stopped: { signal },
  }: { options: DevOptions; edits: EventEmitter; stopped: AbortController },
): Promise<void> {
  while (!signal.aborted) {
    const edited = new AbortController()
    edits.once('edit', () => edited.abort())
    const stop = AbortSignal.any([signal, edited.signal])
    await testOnce(runtime, folder, options, stop).catch((error) => {
      if (!stop.aborted) process.stderr.write(`${toProblem(error)}\n`)
    })
    if (!stop.aborted) {
      process.stderr.write('Waiting for changes…\n')
      await once(stop, 'abort')
    }
    if (!signal.aborted) await wait(SETTLE_MS)
  }
}

async function testOnce(
  runtime: Runtime,
  folder: string,
  { settings, job, json = false }: DevOptions,
  signal: AbortSignal,
): Promise<DraftOutcome> {
  const converter = createConverter(undefined)
  try {
    const test = {
      files: await readFolder(folder),
      settings: await readSettings(folder, settings),
      ...(job !== undefined && { job }),
    }
    const outcome = await runDraft({ runtime, converter }, test, signal)
    print({ json }, outcome, describe(outcome))
    return outcome
  } finally {
    await converter.close()
  }
}

async function readSettings(
  folder: string,
  chosen: string | undefined,
): Promise<Record<string, unknown>> {
  const file = chosen === undefined ? join(folder, SETTINGS_FILE) : resolve(chosen)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (chosen === undefined && error.code === 'ENOENT') return '{}'
    throw new OperatorError(`The settings ${file} cannot be read (${error.code}).`)
  })
  try {
    const settings: unknown = JSON.parse(text)
    if (typeof settings === 'object' && settings !== null && !Array.isArray(settings)) {
      return settings as Record<string, unknown>
    }
  } catch {
    // told below
  }
  throw new OperatorError(`The settings ${file} must be a JSON object.`)
}

function describe({ state, message, count, skipped_count, ...outcome }: DraftOutcome): string {
  const counts = `${pluralize(count, 'event')}, ${pluralize(skipped_count, 'skipped row')}.`
  const rows = outcome.events.map(({ event, distinct_id, timestamp, properties }) => {
    const { $lib: _, $lib_version: __, distinct_id: ___, ...rest } = properties
    return [timestamp, event, distinct_id, JSON.stringify(rest)]
  })
  return [
    ...outcome.log.map((line) => `${line.type.padEnd(5)}  ${line.message}`),
    ...outcome.skipped.map(({ reason }) => `Skipped  ${reason}`),
    ...(rows.length > 0 ? [toTable(['TIME', 'EVENT', 'PERSON', 'PROPERTIES'], rows)] : []),
    state === 'failed' ? `Failed: ${message}` : `Succeeded: ${counts}`,
  ].join('\n')
}

const toProblem = (error: unknown): string =>
  error instanceof AppProblem || error instanceof ApiError || error instanceof OperatorError
    ? error.message
    : String((error as Error).stack)

async function withRuntime<T>(work: (runtime: Runtime) => Promise<T>): Promise<T> {
  const { requireSandbox, appUsers, appHosts } = readConfig()
  const warn = (message: string) => void process.stderr.write(`${message}\n`)
  const runtime = createRuntime({ allowedHosts: appHosts, requireSandbox, appUsers, warn })
  try {
    return await work(runtime)
  } catch (error) {
    const isKnown = error instanceof AppProblem || error instanceof ApiError
    throw isKnown ? new OperatorError(error.message) : error
  } finally {
    await runtime.close()
  }
}
