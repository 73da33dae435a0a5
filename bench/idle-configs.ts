import { setTimeout as wait } from 'node:timers/promises'
import { CONFIGS, call } from './api.ts'
import { familyOf, proportionalMemoryOf } from './family.ts'
import { onFreshServer } from './fresh-server.ts'
import { cpuSecondsOf, type Running } from './processes.ts'
import { type Result, toText } from './result.ts'

const IDLE = 50
const SCHEDULED = 1000
/** Schedules are checked once a minute. */
const WATCHED_S = 120
const REST_S = 5

const APP = `
  export async function runEveryDay() {}
  export const jobs = { async work() {} }
`

/** None of them is due while it is measured. */
const SCHEDULES = [
  { schedule: null },
  { schedule: { every: '1w' } },
  { schedule: { cron: '0 6 * * 1-5', time_zone: 'Europe/Berlin' } },
  { schedule: { cron: '30 4 1 * *', time_zone: 'America/New_York' } },
]

type Say = (text: string) => void

/** Measures what configs cost that do nothing: memory of fifty, processor time of a thousand with schedules. */
export const measureIdleConfigs = (say: Say): Promise<Result[]> =>
  onFreshServer(say, (server) => measure(server, say))

async function measure(server: Running, say: Say): Promise<Result[]> {
  const plugin = await installApp(server)
  await watch(server, REST_S)
  const memoryBefore = readMemory(server)
  await addConfigs(server, plugin, IDLE)
  await watch(server, REST_S)
  const memory = readMemory(server) - memoryBefore
  say(`${IDLE} configs: ${toText(memoryBefore)} MB and ${toText(memory)} MB more`)
  const before = await watch(server, WATCHED_S)
  await addConfigs(server, plugin, SCHEDULED - IDLE)
  await watch(server, REST_S)
  const after = await watch(server, WATCHED_S)
  return [
    {
      subject: 'footprint',
      what: `memory that ${IDLE} idle configs add`,
      value: memory,
      unit: 'MB',
      goal: { atMost: 20 },
      detail: `to ${toText(memoryBefore)} MB; proportional set size of the server and its apps`,
    },
    {
      subject: 'footprint',
      what: `processor time of a server with ${toText(SCHEDULED)} scheduled configs`,
      value: after * 100,
      unit: '% of a core',
      goal: { atMost: 1 },
      detail: `${(before * 100).toFixed(2)} % with ${IDLE}; over ${WATCHED_S} s`,
    },
  ]
}

async function installApp(server: Running): Promise<number> {
  const files = { 'plugin.json': JSON.stringify({ name: 'Idle' }), 'index.ts': APP }
  const path = '/api/organizations/@current/plugins'
  return (await call(server, 'POST', path, { plugin_type: 'source', files })).id
}

async function addConfigs(server: Running, plugin: number, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const { id } = await call(server, 'POST', CONFIGS, { plugin, enabled: true })
    const schedule = SCHEDULES[index % SCHEDULES.length]
    await call(server, 'PATCH', `${CONFIGS}/${id}/schedule`, schedule)
    if (index === 0) await requireNextRun(server, id)
  }
}

/** Throws if the schedule is not followed, because that would cost nothing. */
async function requireNextRun(server: Running, id: number): Promise<void> {
  const { next_run_at } = await call(server, 'GET', `${CONFIGS}/${id}/health`)
  if (next_run_at === null) throw new Error(`Config ${id} has no next run.`)
}

/** Waits, and returns the cores that the server has used meanwhile. */
async function watch({ pid }: Running, seconds: number): Promise<number> {
  const before = cpuSecondsOf(pid)
  await wait(seconds * 1000)
  return (cpuSecondsOf(pid) - before) / seconds
}

const readMemory = ({ pid }: Running): number =>
  familyOf(pid).reduce((sum, member) => sum + proportionalMemoryOf(member), 0)
