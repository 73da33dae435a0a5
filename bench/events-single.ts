import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readToken } from './api.ts'
import { drive, GENERATOR, NUMBER } from './drive.ts'
import { benchEvents } from './events-data.ts'
import { cpuSecondsOf, type Running, runLoad, start, startHedgerow } from './processes.ts'
import { listRounds, median, ofTurns, type Result, toText } from './result.ts'
import type { Request } from './scenarios.ts'
import { seed } from './seed.ts'

const CONNECTIONS = 128
const MIX = 100
/** Every fifth event is of a new person. */
const NEW_PERSONS = 5

type Say = (text: string) => void

interface Seen {
  readonly rate: number
  /** Microseconds of CPU time of the server for a request, which other work on the machine does not change. */
  readonly cpu: number
}

/** Measures single events over many connections, as browsers send them, against a server that only parses them. */
export async function measureSingleEvents(say: Say, rounds = 3, seconds = 4): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-bench-'))
  await seed(folder, 0)
  const hedgerow = await startHedgerow(folder)
  const parser = await start([process.execPath, 'bench/events-bare.ts', 'parse'])
  const token = await readToken(hedgerow)
  const ours: Seen[] = []
  const theirs: Seen[] = []
  for (let round = -1; round < rounds; round++) {
    const parsed = await send(parser, token, seconds)
    const stored = await send(hedgerow, token, seconds)
    say(`single events: ${describe(stored)}; parsing only ${describe(parsed)}`)
    if (round < 0) continue // the first round compiles
    ours.push(stored)
    theirs.push(parsed)
  }
  await Promise.all([hedgerow, parser].map((server) => server.stop()))
  await rm(folder, { recursive: true })
  const what = 'capture of single events'
  const generator = GENERATOR === 'wrk' ? 'wrk' : 'bench/events-load.ts'
  const rates = (of: readonly Seen[]) => of.map(({ rate }) => rate)
  const costs = (of: readonly Seen[]) => of.map(({ cpu }) => cpu)
  return [
    {
      subject: 'capture',
      what,
      ...ofTurns(rates(ours), rates(theirs)),
      unit: 'of parsing them',
      goal: { atLeast: 0.3 },
      detail: `${listRounds(rates(ours))} of ${listRounds(rates(theirs))} req/s; ${CONNECTIONS} connections`,
      generator,
    },
    {
      subject: 'capture',
      what: `${what}: CPU time`,
      ...ofTurns(costs(ours), costs(theirs)),
      unit: 'times that of parsing them',
      detail: `${toText(median(costs(ours)))} against ${toText(median(costs(theirs)))} µs of the server for an event`,
      generator,
    },
  ]
}

async function send(server: Running, token: string, seconds: number): Promise<Seen> {
  const before = cpuSecondsOf(server.pid)
  const load = { url: server.url, connections: CONNECTIONS, seconds }
  const { rate } =
    GENERATOR === 'wrk'
      ? await drive({ ...load, requests: toRequests(token) })
      : await runLoad<{ rate: number }>('bench/events-load.ts', {
          ...load,
          token,
          batch: 1,
          first: Date.now(),
        })
  return { rate, cpu: ((cpuSecondsOf(server.pid) - before) / (rate * seconds)) * 1_000_000 }
}

/** Builds requests of posthog-js: single events with their token, from a page of any origin. */
const toRequests = (token: string): Request[] =>
  benchEvents(MIX).map(({ properties, ...event }, index) => {
    const distinct_id = index % NEW_PERSONS ? event.distinct_id : `new-${NUMBER}`
    const uuid = `019a0000-0000-7000-8000-${NUMBER}`
    return {
      method: 'POST',
      path: `/i/v0/e/?ip=0&_=${Date.now()}&ver=1.300.0`,
      headers: { 'content-type': 'text/plain', origin: 'https://shop.example.com' },
      body: JSON.stringify({ ...event, uuid, properties: { ...properties, token, distinct_id } }),
    }
  })

const describe = ({ rate, cpu }: Seen): string => `${toText(rate)} req/s, ${toText(cpu)} µs`
