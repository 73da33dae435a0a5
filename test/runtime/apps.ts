import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { compileApp } from '#server/runtime/compile.ts'
import type {
  AppOutcome,
  AppServices,
  AppSpec,
  AppTask,
  Runtime,
} from '#server/runtime/contract.ts'
import { createRuntime, type RuntimeOptions } from '#server/runtime/runtime.ts'
import { type Recorded, recordServices } from './record-services.ts'

export { type Recorded, recordServices }

/** Starts a runtime that is closed when the test ends. */
export function startRuntime(options: Partial<RuntimeOptions> = {}): Runtime {
  const runtime = createRuntime({
    allowedHosts: [],
    requireSandbox: false,
    warn: () => {},
    ...options,
  })
  onTestFinished(() => runtime.close())
  return runtime
}

let lastId = 0

export async function createSpec(
  source: string | Readonly<Record<string, string>>,
  changes: Partial<AppSpec> = {},
): Promise<AppSpec> {
  const files = typeof source === 'string' ? { 'index.ts': source } : source
  const main = 'index.js' in files ? 'index.js' : 'index.ts'
  lastId += 1
  return {
    configId: lastId,
    projectId: 7,
    pluginId: 3,
    pluginName: 'Test app',
    version: '1',
    code: await compileApp(files, main),
    config: {},
    secrets: [],
    attachments: {},
    ...changes,
  }
}

export const EVERY_MINUTE: AppTask = {
  kind: 'schedule',
  name: 'runEveryMinute',
  payload: undefined,
}

export const job = (name: string, payload?: unknown): AppTask => ({ kind: 'job', name, payload })

const never = new AbortController().signal

export const run = (
  runtime: Runtime,
  spec: AppSpec,
  services: AppServices,
  task: AppTask = EVERY_MINUTE,
  signal: AbortSignal = never,
): Promise<AppOutcome> => runtime.run(spec, services, task, signal)

/** Runs `runEveryMinute` once with this body, in which `meta` is available. */
export async function runBody(
  body: string,
  options: Partial<RuntimeOptions> & { readonly spec?: Partial<AppSpec>; services?: Recorded } = {},
): Promise<Recorded & { readonly outcome: AppOutcome }> {
  const { spec: changes, services = recordServices(), ...runtimeOptions } = options
  const runtime = startRuntime(runtimeOptions)
  const spec = await createSpec(`export async function runEveryMinute(meta) {${body}\n}`, changes)
  const outcome = await run(runtime, spec, services)
  return { ...services, outcome }
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface LocalServer {
  readonly origin: string
  readonly port: number
  readonly requests: {
    method: string
    url: string
    headers: IncomingMessage['headers']
    body: string
  }[]
}

export async function startServer(handler: Handler): Promise<LocalServer> {
  const requests: LocalServer['requests'] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const { method = '', url = '', headers } = request
    requests.push({ method, url, headers, body: Buffer.concat(parts).toString() })
    handler(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, port, requests }
}

/** Polls until the condition holds, with a timeout for busy machines. */
export async function eventually(check: () => boolean): Promise<void> {
  const end = Date.now() + 20_000
  while (!check()) {
    if (Date.now() > end) throw new Error('It did not come about.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
