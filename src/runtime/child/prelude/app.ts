import type {
  AppDescription,
  AppToLoad,
  FromApp,
  Invocation,
} from '#server/runtime/process/protocol.ts'
import type { Bridge } from '../bridge.ts'
import type { Calls } from './calls.ts'
import { createConsole } from './console.ts'
import { RetryError } from './errors.ts'
import { type AppExports, readExports } from './exports.ts'
import { createFetch, type FetchTools } from './fetch.ts'
import { createMeta } from './meta.ts'
import { createRequire } from './modules.ts'
import { createApi, createCaptures } from './posthog.ts'
import { createProgress } from './progress.ts'
import type { Streams } from './streams.ts'

/** What the context brings and the contract does not know. */
const ABSENT = ['WebAssembly', 'SharedArrayBuffer', 'Atomics']

export interface App {
  readonly description: AppDescription
  invoke(task: Invocation, payload: unknown): Promise<unknown>
}

export interface AppTools {
  readonly bridge: Bridge
  readonly calls: Calls
  readonly streams: Streams
  send(message: FromApp): void
}

/** Makes the globals of the contract, then runs the app's script among them. */
export async function loadApp(tools: AppTools, toLoad: AppToLoad): Promise<App> {
  const { bridge, calls, streams, send } = tools
  const { console, startRun } = createConsole(send, toLoad.limits)
  const captures = createCaptures(toLoad, calls, bridge.capture)
  const fetchTools: FetchTools = {
    calls,
    streams,
    Buffer: bridge.Buffer,
    URLSearchParams: bridge.URLSearchParams,
  }
  const require = createRequire(bridge, createFetch(fetchTools))
  const contents = await readContents(tools, toLoad)
  const progress = createProgress(send)
  const meta = createMeta({ app: toLoad, calls, streams, progress, contents })

  for (const name of ABSENT) Reflect.deleteProperty(globalThis, name)
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

  return {
    description: exports.describe(),
    async invoke(task, payload) {
      startRun()
      try {
        return await call(exports, task, payload, meta, toLoad)
      } finally {
        progress.flush()
        await captures.stored()
        streams.drop()
      }
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
    const parts: Uint8Array[] = []
    for await (const part of streams.read(stream)) parts.push(part)
    contents.set(key, bridge.Buffer.concat(parts))
  }
  return contents
}

/** A script, not a module: its functions become globals, and the three names below are known to it. */
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

async function call(
  exports: AppExports,
  task: Invocation,
  payload: unknown,
  meta: Record<string, unknown>,
  { pluginName, configId }: AppToLoad,
): Promise<unknown> {
  switch (task.what) {
    case 'setup':
      await exports.find('setupPlugin')?.(meta)
      return
    case 'teardown':
      await exports.find('teardownPlugin')?.(meta)
      return
    case 'migrate':
      return exports.find('migrateConfig')?.(meta.config, meta)
  }
  const run = task.what === 'job' ? exports.findJob(task.name) : exports.find(task.name)
  if (!run) {
    throw new Error(
      `Task "${task.name}" not found for plugin "${pluginName}" with config id ${configId}`,
    )
  }
  await (task.what === 'job' && payload ? run(payload, meta) : run(meta))
}
