import {
  type AppDescription,
  type AppError,
  type AppToLoad,
  type FromApp,
  HOOKS,
  type Invocation,
  type RequestToApp,
} from '#server/runtime/wire/protocol.ts'
import type { Bridge } from '../bridge.ts'
import type { Calls } from './calls.ts'
import { createConsole } from './console.ts'
import { createContrib } from './contrib.ts'
import { createRowReader } from './databases.ts'
import { RetryError, toAppError } from './errors.ts'
import { type AppExports, readExports } from './exports.ts'
import { createFetch, type FetchTools } from './fetch.ts'
import { createMeta } from './meta.ts'
import { createRequire } from './modules.ts'
import { createPg } from './pg.ts'
import { createApi, createCaptures } from './posthog.ts'
import { createProgressReporter } from './progress.ts'
import { toAppRequest } from './request.ts'
import { createSkipReporter } from './skips.ts'
import type { Streams } from './streams.ts'

/** Globals of the context that apps do not get. */
const REMOVED_GLOBALS = ['WebAssembly', 'SharedArrayBuffer', 'Atomics']

export interface App {
  readonly description: AppDescription
  invoke(task: Invocation): Promise<unknown>
}

export interface AppTools {
  readonly bridge: Bridge
  readonly calls: Calls
  readonly streams: Streams
  send(message: FromApp): void
  /** Resolves once what was to be done before is done, and rejections that nobody handles are known. */
  nextTurn(): Promise<void>
}

/** Creates the globals that apps get, then runs the app's script. */
export async function runApp(tools: AppTools, toLoad: AppToLoad): Promise<App> {
  const { bridge, calls, streams, send, nextTurn } = tools
  const { console, startRun } = createConsole(send, toLoad.limits)
  const captures = createCaptures(toLoad, calls, bridge.sendCapture)
  const fetchTools: FetchTools = {
    calls,
    streams,
    Buffer: bridge.Buffer,
    URLSearchParams: bridge.URLSearchParams,
  }
  const contrib = createContrib()
  const readRows = {
    postgres: createRowReader('postgres', calls, streams, bridge.Buffer),
    mysql: createRowReader('mysql', calls, streams, bridge.Buffer),
  }
  const pg = createPg(readRows.postgres, encodeURIComponent)
  const require = createRequire(bridge, { fetch: createFetch(fetchTools), contrib, pg })
  const contents = await readContents(tools, toLoad)
  const progress = createProgressReporter(send)
  const skips = createSkipReporter(calls, toLoad.limits)
  const meta = createMeta({ app: toLoad, calls, streams, readRows, progress, skips, contents })

  for (const name of REMOVED_GLOBALS) Reflect.deleteProperty(globalThis, name)
  Object.assign(globalThis, bridge.binary, {
    console,
    posthog: { capture: captures.capture, api: createApi(fetchTools) },
    fetch: require('node-fetch'),
    URL: bridge.URL,
    Buffer: bridge.Buffer,
    RetryError,
    global: globalThis,
  })
  const exports = runScript(bridge, require, toLoad.code)

  /** Calls a function, and waits for all that it has begun. */
  async function complete(call: () => unknown): Promise<unknown> {
    try {
      const result = await call()
      await contrib.flushAll()
      return result
    } finally {
      progress.flush()
      skips.flush()
      await captures.waitForStored()
      streams.abortUnread()
    }
  }

  /**
   * Handles requests one after another. Stops after one that leaves code behind, which only the end of the run ends: what
   * it did later would count as done by the next request.
   */
  async function handleRequests(requests: readonly RequestToApp[]): Promise<(AppError | null)[]> {
    const errors: (AppError | null)[] = []
    for (const request of requests) {
      captures.startRun(request)
      const given = toAppRequest(request, bridge.URLSearchParams)
      const handled = complete(() => exports.find(HOOKS.request)?.(given, meta))
      errors.push(await handled.then(() => null, toAppError))
      await nextTurn()
      if (calls.hasPending()) break
    }
    return errors
  }

  return {
    description: exports.describe(),
    async invoke(task) {
      startRun()
      if (task.kind === 'requests') return handleRequests(task.payload as readonly RequestToApp[])
      captures.startRun(undefined)
      return complete(() => callFunction(exports, task, meta, toLoad))
    },
  }
}

async function readContents(
  { bridge, streams }: AppTools,
  { attachments }: AppToLoad,
): Promise<Map<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>()
  for (const { stream } of attachments) if (stream !== undefined) streams.open(stream)
  for (const { key, stream } of attachments) {
    if (stream === undefined) continue
    const chunks: Uint8Array[] = []
    for await (const chunk of streams.read(stream)) chunks.push(chunk)
    contents.set(key, bridge.Buffer.concat(chunks))
  }
  return contents
}

/** Runs the code as a script, not a module, so that its functions become globals. It knows the three names below. */
function runScript(bridge: Bridge, require: (name: string) => unknown, code: string): AppExports {
  const declare = bridge.run(
    'const module = { exports: {} }; let exports = {}; let require; (given) => { require = given }',
    'hedgerow:module',
  ) as (given: typeof require) => void
  declare(require)
  bridge.run(code, 'index.js')
  const [exported, moduleExported] = bridge.run('[exports, module.exports]', 'hedgerow:module') as [
    unknown,
    unknown,
  ]
  return readExports(exported, moduleExported, globalThis)
}

async function callFunction(
  exports: AppExports,
  task: Invocation,
  meta: Record<string, unknown>,
  { pluginName, configId }: AppToLoad,
): Promise<unknown> {
  switch (task.kind) {
    case 'setup':
      await exports.find(HOOKS.setup)?.(meta)
      return
    case 'teardown':
      await exports.find(HOOKS.teardown)?.(meta)
      return
    case 'migrate':
      return exports.find(HOOKS.migrate)?.(meta.config, meta)
    case 'backfill':
      await exports.find(HOOKS.backfill)?.(task.payload, meta)
      return
  }
  const { kind, name, payload } = task
  const appFunction = kind === 'job' ? exports.findJob(name) : exports.find(name)
  if (!appFunction) {
    throw new Error(
      `Task "${name}" not found for plugin "${pluginName}" with config id ${configId}`,
    )
  }
  if (kind === 'job' && payload) await appFunction(payload, meta)
  else await appFunction(meta)
}
