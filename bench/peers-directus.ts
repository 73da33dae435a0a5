import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  DIRECTUS,
  type Directus,
  installDirectus,
  readNodeVersion,
  seedDirectus,
  startDirectus,
  toDashboardId,
} from './directus.ts'
import { drive, GENERATOR } from './drive.ts'
import { installPackage, megabytesOf } from './install.ts'
import { memoryOf, type Running, startHedgerow } from './processes.ts'
import { listRounds, ofTurns, type Result, toLine, toText } from './result.ts'
import type { Request } from './scenarios.ts'
import { seed } from './seed.ts'

/** Directus has no index of panels by dashboard: with 10,000 dashboards it retrieved 4 a second. */
const DASHBOARDS = 1000
/** So few that no request to the slower server waits for the 2 s after which wrk counts it as failed. */
const CONNECTIONS = 8
const SECONDS = 4
const ROUNDS = 3
const AT_REST_MS = 3000

type Say = (text: string) => void

/** Measures against Directus with equal dashboards, which `installedFolder` may have already. */
export async function measureDirectus(say: Say, installedFolder?: string): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-peers-'))
  try {
    const installed = installedFolder ?? join(folder, 'directus')
    const theirs: Directus = { installed, data: join(folder, 'directus-data') }
    if (!installedFolder) {
      say(`installing Directus ${DIRECTUS}`)
      await installDirectus(installed)
    }
    const size = await compareSizes(folder, installed, say)
    say(`filling both with ${DASHBOARDS} dashboards`)
    const ours = join(folder, 'data')
    await seed(ours, DASHBOARDS)
    await seedDirectus(theirs, DASHBOARDS)
    const results = [
      size,
      await compareStarts(ours, theirs),
      ...(await compareServers(await startHedgerow(ours), await startDirectus(theirs), say)),
    ]
    const versions = `Directus ${DIRECTUS} on Node ${await readNodeVersion()}, ours on ${process.version}`
    const named = results.map((result) => ({ ...result, detail: `${result.detail}; ${versions}` }))
    for (const result of named) say(toLine(result))
    return named
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Compares what npm installs, on disk. */
async function compareSizes(folder: string, installed: string, say: Say): Promise<Result> {
  say('packing and installing Hedgerow')
  const [our, their] = [
    await megabytesOf(await installPackage(folder)),
    await megabytesOf(installed),
  ]
  return {
    subject: 'peers',
    what: 'installed size',
    value: our / their,
    unit: 'of Directus',
    detail: `${toText(our)} of ${toText(their)} MB`,
  }
}

async function compareStarts(ours: string, theirs: Directus): Promise<Result> {
  const times: { our: number[]; their: number[] } = { our: [], their: [] }
  for (let round = 0; round < ROUNDS; round++) {
    times.our.push(await timeStart(() => startHedgerow(ours)))
    times.their.push(await timeStart(() => startDirectus(theirs)))
  }
  return {
    subject: 'peers',
    what: 'start to ready',
    ...ofTurns(times.our, times.their),
    unit: 'of Directus',
    detail: `${listRounds(times.our)} of ${listRounds(times.their)} ms`,
  }
}

async function timeStart(start: () => Promise<Running>): Promise<number> {
  const began = performance.now()
  const server = await start()
  const took = performance.now() - began
  await server.stop()
  return took
}

async function compareServers(ours: Running, theirs: Running, say: Say): Promise<Result[]> {
  try {
    await wait(AT_REST_MS)
    const [our, their] = [memoryOf(ours.pid), memoryOf(theirs.pid)]
    const results: Result[] = [
      {
        subject: 'peers',
        what: 'memory at rest',
        value: our / their,
        unit: 'of Directus',
        detail: `${toText(our)} of ${toText(their)} MB, resident, ${AT_REST_MS / 1000} s after the start`,
      },
    ]
    for (const pair of PAIRS) results.push(await compareRates(ours, theirs, pair, say))
    return results
  } finally {
    await Promise.all([ours.stop(), theirs.stop()])
  }
}

/** The same request to both servers. */
interface Pair {
  readonly what: string
  readonly ours: Request
  readonly theirs: Request
}

const OURS = '/api/environments/1/dashboards'
/** Without panels, as our list is without tiles. */
const LIST = '/dashboards?limit=100&fields=id,name,icon,note,color,date_created,user_created'
const RETRIEVE = `/dashboards/${toDashboardId(1)}?fields=*,panels.*`
const get = (path: string, control?: string): Request => ({
  method: 'GET',
  path,
  headers: control === undefined ? {} : { 'cache-control': control },
})
const create = (path: string): Request => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'New' }),
})

const PAIRS: readonly Pair[] = [
  {
    what: 'list of 100, from the cache',
    ours: get(`${OURS}?limit=100`),
    theirs: get(LIST),
  },
  {
    what: 'list of 100, past the cache',
    ours: get(`${OURS}?limit=100`, 'no-cache'),
    theirs: get(LIST, 'no-store'),
  },
  {
    what: 'retrieve with 6 panels, from the cache',
    ours: get(`${OURS}/1`),
    theirs: get(RETRIEVE),
  },
  {
    what: 'retrieve with 6 panels, past the cache',
    ours: get(`${OURS}/1`, 'no-cache'),
    theirs: get(RETRIEVE, 'no-store'),
  },
  { what: 'create', ours: create(OURS), theirs: create('/dashboards') },
]

/** Alternates the load, so that noise affects both. The first round warms up. */
async function compareRates(ours: Running, theirs: Running, pair: Pair, say: Say): Promise<Result> {
  const rates: { our: number[]; their: number[] } = { our: [], their: [] }
  const load = { connections: CONNECTIONS, seconds: SECONDS }
  for (let round = 0; round <= ROUNDS; round++) {
    const { rate: their } = await drive({ ...load, url: theirs.url, requests: [pair.theirs] })
    const { rate: our } = await drive({ ...load, url: ours.url, requests: [pair.ours] })
    say(`${pair.what}: ${toText(our)} against ${toText(their)} req/s`)
    if (round === 0) continue
    rates.our.push(our)
    rates.their.push(their)
  }
  return {
    subject: 'peers',
    what: pair.what,
    ...ofTurns(rates.our, rates.their),
    unit: 'times Directus',
    generator: GENERATOR,
    detail: `${listRounds(rates.our)} against ${listRounds(rates.their)} req/s`,
  }
}
