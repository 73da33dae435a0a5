import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../test/support/servers/postgres.ts'
import { call } from './api.ts'
import { drive, GENERATOR } from './drive.ts'
import { benchEvents } from './events-data.ts'
import { SETTINGS } from './postgres.ts'
import { cpuSecondsOf, isPinned, type Running, startHedgerowOn } from './processes.ts'
import { listRounds, median, ofRounds, ofTurns, type Result, toText } from './result.ts'
import type { Request } from './scenarios.ts'
import { seed } from './seed.ts'

const SERVERS = 3
const BATCH = 10
/** The connections of all servers together: a multiple of two and three. */
const CONNECTIONS = 48
const SECONDS = 4
const ROUNDS = 3
const DASHBOARD = '/api/environments/1/dashboards/1'
const CORES = availableParallelism()

/** Those of the tests, with which a captured event is not on disk, would measure something else. */
export const DURABLE = [
  'fsync=on',
  'synchronous_commit=on',
  'full_page_writes=on',
  'max_wal_size=8GB',
]

type Say = (text: string) => void

/** Measures captures and cached reads through one, two and three servers on one PostgreSQL database. */
export async function measureServers(say: Say): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-servers-'))
  const postgres = await startPostgres([...SETTINGS, ...DURABLE], tmpdir())
  const servers: Running[] = []
  try {
    const databaseUrl = postgres.url(await postgres.createDatabase())
    await seed(folder, 10, databaseUrl)
    for (let core = 0; core < SERVERS; core++) {
      servers.push(await startHedgerowOn(core % CORES, folder, databaseUrl))
    }
    const [first] = servers as [Running]
    await call(first, 'GET', `${DASHBOARD}?refresh=blocking`) // or results would arrive during the measurement
    const { api_token } = await call(first, 'GET', '/api/projects/1')
    return [
      ...(await compareCounts(`captures of ${BATCH} events`, toCapture(api_token), servers, say)),
      ...(await compareCounts('cached reads of a dashboard', READ, servers, say)),
    ]
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const READ: Request = { method: 'GET', path: DASHBOARD }

/** Without UUIDs, so that the server generates them and the same body can be sent again. */
const toCapture = (token: string): Request => ({
  method: 'POST',
  path: '/batch',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    api_key: token,
    batch: benchEvents(BATCH).map(({ uuid: _, ...event }) => event),
  }),
})

interface Measured {
  /** Requests per second. */
  readonly rate: number
  /** The servers' CPU time for a request, in ms. */
  readonly cpu: number
}

/** Alternates the numbers of servers, so that noise affects all of them. The first round warms up. */
async function compareCounts(
  what: string,
  request: Request,
  servers: readonly Running[],
  say: Say,
): Promise<Result[]> {
  const [load] = loadavg()
  const measured = servers.map((): Measured[] => [])
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, ofCount] of measured.entries()) {
      const seen = await loadAll(servers.slice(0, index + 1), request)
      say(`${what} through ${index + 1}: ${seen.rate.toFixed(0)} req/s, ${toMs(seen.cpu)} each`)
      if (round > 0) ofCount.push(seen)
    }
  }
  const [one = []] = measured.map(ratesOf)
  return measured.map((ofCount, index) => ({
    subject: 'several servers',
    what: `${what} through ${index + 1}`,
    ...(index === 0 ? ofRounds(one) : ofTurns(ratesOf(ofCount), one)),
    unit: index === 0 ? 'req/s' : 'times one',
    generator: GENERATOR,
    load,
    detail: `${listRounds(ratesOf(ofCount))} req/s, ${toMs(median(ofCount.map(({ cpu }) => cpu)))} of the servers' CPU time each; ${describeCores(index + 1)}`,
  }))
}

/** Divides the connections among the servers, as a proxy would, and adds up their rates. */
async function loadAll(servers: readonly Running[], request: Request): Promise<Measured> {
  const connections = CONNECTIONS / servers.length
  const readCpu = () => servers.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0)
  const before = readCpu()
  const loads = servers.map(({ url }) =>
    drive({ url, requests: [request], connections, seconds: SECONDS, isUnpinned: true }),
  )
  const rate = (await Promise.all(loads)).reduce((sum, each) => sum + each.rate, 0)
  return { rate, cpu: ((readCpu() - before) / (rate * SECONDS)) * 1000 }
}

const toMs = (cpu: number): string => `${toText(cpu)} ms`

const ratesOf = (measured: readonly Measured[]): number[] => measured.map(({ rate }) => rate)

function describeCores(count: number): string {
  const pinned = isPinned ? 'each server pinned to a core' : 'servers on any core'
  const shared = `${pinned} of ${CORES}, PostgreSQL and ${GENERATOR} on any`
  return count > CORES
    ? `${shared}; no core is left for server ${count}, so it cannot add anything`
    : shared
}
