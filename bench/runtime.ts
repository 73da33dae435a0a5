import { pathToFileURL } from 'node:url'
import { compileApp } from '#server/runtime/compile.ts'
import type { AppServices, AppSpec, AppTask, Runtime } from '#server/runtime/contract.ts'
import { createRuntime } from '#server/runtime/runtime.ts'
import { median } from './result.ts'

export interface RuntimeFigures {
  /** Duration of a run in ms: the first of a server, the first of a config, a warm one. */
  readonly serversFirstRun: number
  readonly configsFirstRun: number
  readonly warmRun: number
  /** Events per second of an app that does not await each one, into a store that only counts. */
  readonly eventsPerSecond: number
  /** CPU time of this process, in microseconds. */
  readonly parentCpuPerEvent: number
}

const EVENTS = 300_000
const SAMPLES = 15

const APP = `
  export const runEveryMinute = () => {}
  export const jobs = {
    async capture({ events }) {
      for (let i = 0; i < events; i++) {
        posthog.capture('page viewed', {
          distinct_id: 'user ' + (i % 1000), $current_url: 'https://example.com/page/' + i, $browser: 'Firefox',
          $os: 'Linux', $session_id: 'session ' + (i % 5000), $geoip_country_code: 'DE', width: i % 2000, new: true,
        })
        if (i % 5000 === 0) await null
      }
    },
  }`

export async function measureRuntime(): Promise<RuntimeFigures> {
  const code = await compileApp({ 'index.ts': APP }, 'index.ts')
  const runtime = createRuntime({ allowedHosts: [], requireSandbox: false, warn: console.warn })
  const empty: AppTask = { kind: 'schedule', name: 'runEveryMinute', payload: undefined }
  try {
    const serversFirstRun = await timeRun(runtime, toSpec(code, 0), empty)
    const firsts: number[] = []
    const warms: number[] = []
    for (let id = 1; id <= SAMPLES; id += 1) {
      firsts.push(await timeRun(runtime, toSpec(code, id), empty))
      warms.push(await timeRun(runtime, toSpec(code, id), empty))
      await runtime.evict(id)
    }
    const cpu = process.cpuUsage()
    const task: AppTask = { kind: 'job', name: 'capture', payload: { events: EVENTS } }
    const captured = await timeRun(runtime, toSpec(code, 0), task)
    const { user, system } = process.cpuUsage(cpu)
    return {
      serversFirstRun,
      configsFirstRun: median(firsts),
      warmRun: median(warms),
      eventsPerSecond: Math.round((EVENTS / captured) * 1000),
      parentCpuPerEvent: (user + system) / EVENTS,
    }
  } finally {
    await runtime.close()
  }
}

async function timeRun(runtime: Runtime, spec: AppSpec, task: AppTask): Promise<number> {
  const start = performance.now()
  const outcome = await runtime.run(spec, COUNTING, task, new AbortController().signal)
  if (outcome.ended !== 'succeeded') throw new Error(JSON.stringify(outcome))
  return performance.now() - start
}

const toSpec = (code: string, configId: number): AppSpec => ({
  configId,
  projectId: 1,
  pluginId: 1,
  pluginName: 'Bench',
  version: '1',
  code,
  config: {},
  secrets: [],
  attachments: {},
})

const unused = (): never => {
  throw new Error('not used by this app')
}

const COUNTING: AppServices = {
  storage: { get: unused, set: unused, delete: unused, setIfAbsent: unused, increment: unused },
  cache: {
    get: unused,
    set: unused,
    increment: unused,
    expire: unused,
    push: unused,
    range: unused,
    length: unused,
    remove: unused,
    pop: unused,
  },
  capture: async () => {},
  captureLarge: async () => {},
  enqueue: unused,
  skip: unused,
  log: () => {},
  progress: () => {},
  apiAccess: unused,
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.table([await measureRuntime()])
}
