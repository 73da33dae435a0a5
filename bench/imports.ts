import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { arch } from 'node:os'
import { startPostgres } from '../test/support/servers/postgres.ts'
import { addConfig, CONFIGS, call, runJob } from './api.ts'
import { familyOf, proportionalMemoryOf } from './family.ts'
import { RECORDS_PER_PAGE, servePages } from './pages.ts'
import { SETTINGS } from './postgres.ts'
import { type Running, startHedgerowForApps } from './processes.ts'
import { listRounds, median, ofRounds, ofTurns, type Result, toLine, toText } from './result.ts'
import { seed } from './seed.ts'

const CSV_APP = 2
const DEMO_APP = 4
const EVENTS = 300_000
/** 1.8 times what each kind of machine stored before. */
const GOAL_RATE = arch() === 'x64' ? 117_000 : 85_000
const ROUNDS = 3
const PAGES = 10_000

const PROBE = `
  export const jobs = {
    async probe() { console.log(String(Date.now())) },
    async flood({ events }) {
      const properties = { $browser: 'Firefox', $os: 'Linux', plan: 'team', amount: 12.5, path: '/orders/new', note: 'twelve months, paid by invoice, no discount' }
      for (let i = 0; i < events; i += 500) {
        let stored
        for (let j = i; j < i + 500; j++) {
          const distinct_id = j % 5 === 0 ? 'new ' + Date.now() + j : 'user ' + j % 5000
          stored = posthog.capture('order placed', { ...properties, distinct_id, number: j })
        }
        if (i % 4000 === 0) await stored
      }
    },
  }
`

type Say = (text: string) => void

/** Measures import apps: start latency, import rate and memory. */
export async function measureImports(dataFolder: string, say: Say): Promise<Result[]> {
  const results = await onServer(dataFolder, async (hedgerow) => {
    const plugin = await installProbe(hedgerow)
    return [
      ...(await measureLatency(hedgerow, plugin, say)),
      await measureEvents(hedgerow, plugin, say),
      await measureDemo(hedgerow, say),
    ]
  })
  results.push(await compareWithPostgres(dataFolder, say))
  // each on its own server, because processes of earlier apps would count too
  for (const rows of [1_000_000, 10_000_000]) {
    results.push(await onServer(dataFolder, (hedgerow) => measureCsv(hedgerow, rows, say)))
  }
  results.push(await onServer(dataFolder, (hedgerow) => measureConnector(hedgerow, say)))
  return results
}

async function onServer<T>(
  dataFolder: string,
  work: (server: Running) => Promise<T>,
  databaseUrl?: string,
): Promise<T> {
  const server = await startHedgerowForApps(dataFolder, databaseUrl)
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

async function installProbe(server: Running): Promise<number> {
  const manifest = {
    name: 'Probe',
    publicJobs: { probe: {}, flood: { payload: { events: { type: 'number' } } } },
  }
  const { id } = await call(server, 'POST', '/api/organizations/@current/plugins', {
    plugin_type: 'source',
    name: 'Probe',
    files: { 'plugin.json': JSON.stringify(manifest), 'index.ts': PROBE },
  })
  return id
}

/** Measures from the request to the first line of the app's code. */
async function measureLatency(server: Running, plugin: number, say: Say): Promise<Result[]> {
  const first: number[] = []
  const warm: number[] = []
  for (let round = 0; round < 7; round++) {
    const config = await addConfig(server, plugin, {})
    first.push(await timeProbe(server, config))
    for (let again = 0; again < 5; again++) warm.push(await timeProbe(server, config))
    await call(server, 'DELETE', `${CONFIGS}/${config}`)
  }
  say(`first run ${median(first)} ms (${first.join(', ')}), warm ${median(warm)} ms`)
  return [
    {
      subject: 'imports',
      what: "an app's first run, request to its code",
      ...ofRounds(first),
      unit: 'ms',
      goal: { atMost: 150 },
      detail: `${listRounds(first)} ms`,
    },
    {
      subject: 'imports',
      what: 'a warm run, request to its code',
      ...ofRounds(warm),
      unit: 'ms',
      goal: { atMost: 10 },
      detail: `median of ${warm.length}`,
    },
  ]
}

async function timeProbe(server: Running, config: number): Promise<number> {
  const requestedAt = Date.now()
  const run = await runJob(server, config, 'probe')
  const { results } = await call(server, 'GET', `${CONFIGS}/${config}/logs?run=${run.id}`)
  const line = results.find(({ source }: { source: string }) => source === 'CONSOLE')
  return Number(line.message) - requestedAt
}

async function measureEvents(server: Running, plugin: number, say: Say): Promise<Result> {
  const config = await addConfig(server, plugin, {})
  const rates: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rates.push(await timeEvents(server, config, 'flood'))
  }
  const result: Result = {
    subject: 'imports',
    what: 'events of 350 bytes from an app to the store, a fifth of them of new persons',
    ...ofRounds(rates),
    unit: '/s',
    goal: { atLeast: GOAL_RATE },
    detail: listRounds(rates),
  }
  say(toLine(result))
  return result
}

/** Imports into both databases in turns, so that noise affects both. */
async function compareWithPostgres(dataFolder: string, say: Say): Promise<Result> {
  const postgres = await startPostgres(SETTINGS)
  try {
    const databaseUrl = postgres.url(await postgres.createDatabase())
    const folder = `${dataFolder}-of-postgres`
    await seed(folder, 10, databaseUrl)
    const rates = await onServer(dataFolder, (embedded) =>
      onServer(folder, (server) => importInTurns(embedded, server), databaseUrl),
    )
    const embedded = rates.map(([first]) => first)
    const onPostgres = rates.map(([, second]) => second)
    const result: Result = {
      subject: 'PostgreSQL',
      what: 'events from an app',
      ...ofTurns(onPostgres, embedded),
      unit: 'of the rate',
      goal: { atLeast: 0.45 },
      detail: `${listRounds(onPostgres)} of ${listRounds(embedded)} events/s`,
    }
    say(toLine(result))
    return result
  } finally {
    await postgres.stop()
  }
}

async function importInTurns(...servers: [Running, Running]): Promise<[number, number][]> {
  const [first, second] = servers
  const prepare = async (server: Running) => addConfig(server, await installProbe(server), {})
  const [firstConfig, secondConfig] = [await prepare(first), await prepare(second)]
  const rates: [number, number][] = []
  for (let round = 0; round < ROUNDS; round++) {
    rates.push([
      await timeEvents(first, firstConfig, 'flood'),
      await timeEvents(second, secondConfig, 'flood'),
    ])
  }
  return rates
}

async function measureDemo(server: Running, say: Say): Promise<Result> {
  const config = await addConfig(server, DEMO_APP, {})
  const result: Result = {
    subject: 'imports',
    what: 'Demo data: events of 800 bytes, made and stored',
    value: await timeEvents(server, config, 'Generate events'),
    unit: '/s',
    detail: `${toText(EVENTS)} events`,
  }
  say(toLine(result))
  return result
}

async function timeEvents(server: Running, config: number, job: string): Promise<number> {
  const run = await runJob(server, config, job, { events: EVENTS })
  if (run.events !== EVENTS) throw new Error(`${run.events} of ${EVENTS} events were captured`)
  return run.events / secondsOf(run)
}

const secondsOf = (run: { started_at: string; finished_at: string }): number =>
  (Date.parse(run.finished_at) - Date.parse(run.started_at)) / 1000

async function measureCsv(server: Running, rows: number, say: Say): Promise<Result> {
  const source = await serveCsv(rows)
  const config = await addConfig(server, CSV_APP, { url: source.url })
  const result = await measureMemory(server, config, `CSV import of ${toText(rows)} rows`)
  source.close()
  say(toLine(result))
  return result
}

/** Reads pages of a JSON API that another process serves. */
async function measureConnector(server: Running, say: Say): Promise<Result> {
  const pages = await servePages(PAGES)
  const { id } = await call(server, 'POST', '/api/organizations/@current/plugins', {
    plugin_type: 'source',
    files: {
      'plugin.json': JSON.stringify({ name: 'Pages', publicJobs: { 'Import now': {} } }),
      'connector.yaml': pages.connector,
    },
  })
  const records = toText(PAGES * RECORDS_PER_PAGE)
  const what = `connector of ${records} records in ${toText(PAGES)} pages`
  const result = await measureMemory(server, await addConfig(server, id, {}), what)
  pages.close()
  say(toLine(result))
  return result
}

/** Measures the memory while a config imports. */
async function measureMemory(server: Running, config: number, what: string): Promise<Result> {
  const memory = watchMemory(server.pid)
  const run = await runJob(server, config, 'Import now')
  const { peak, ofServer } = memory.stop()
  return {
    subject: 'imports',
    what: `${what}: memory of server and app together`,
    value: peak,
    unit: 'MB',
    goal: { atMost: 300 },
    detail: `${toText(ofServer)} the server's; ${toText(run.events)} events in ${toText(secondsOf(run))} s; proportional set size, read every 50 ms`,
  }
}

async function serveCsv(rows: number): Promise<{ url: string; close(): void }> {
  const server = createServer(async (_request, response) => {
    response.write('distinct_id,timestamp,event,plan,amount,country\n')
    for (let row = 0; row < rows; row += 1000) {
      let text = ''
      for (let each = row; each < row + 1000; each++) {
        const at = new Date(1_700_000_000_000 + each * 1000).toISOString()
        text += `user${each % 5000},${at},bought,"team, yearly",${each % 997}.5,DE\n`
      }
      if (!response.write(text)) await new Promise((resolve) => response.once('drain', resolve))
    }
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/rows-${rows}.csv`, close: () => server.close() }
}

/** Sums the memory of a process and its descendants; shared pages count once. */
function watchMemory(pid: number) {
  const seen = { peak: 0, ofServer: 0 }
  const look = () => {
    const [ofServer = 0, ...ofApps] = familyOf(pid).map(proportionalMemoryOf)
    const all = ofServer + sum(ofApps)
    if (all > seen.peak) Object.assign(seen, { peak: all, ofServer })
  }
  const timer = setInterval(look, 50)
  return {
    stop() {
      clearInterval(timer)
      return seen
    },
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
