/** A server with one app that never ends. A test kills it. */
import { createRuntime } from '#server/runtime/runtime.ts'
import { recordServices } from './record-services.ts'

const runtime = createRuntime({ allowedHosts: [], requireSandbox: false, warn: () => {} })
const spec = {
  configId: 1,
  projectId: 1,
  pluginId: 1,
  pluginName: 'Endless',
  version: '1',
  code: `console.log('begun'); function runEveryMinute() { console.log('begun'); while (true); }`,
  config: {},
  secrets: [],
  attachments: {},
}
const services = { ...recordServices(), log: () => void process.stdout.write('begun\n') }
const task = { kind: 'schedule', name: 'runEveryMinute', payload: undefined } as const
await runtime.run(spec, services, task, new AbortController().signal)
