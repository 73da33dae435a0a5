import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { NewEvent } from '#server/analytics/event-store.ts'
import { openEventStore } from '#server/analytics/open.ts'
import { openStorage } from '#server/db/open.ts'
import { readToken } from './api.ts'
import { openAppender } from './events-append.ts'
import { benchEvents } from './events-data.ts'
import { measureSingleEvents } from './events-single.ts'
import { type Running, runLoad, start, startHedgerow } from './processes.ts'
import { listRounds, ofTurns, type Result, toLine } from './result.ts'
import { seed } from './seed.ts'

const APPEND_BATCH = 2000
const CAPTURE_BATCH = 100
const CONNECTIONS = 32

type Say = (text: string) => void

/** Measures appends to the event store against DuckDB's own appender with the same durability. */
export async function measureAppends(say: Say, rounds = 5, batches = 25): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-bench-'))
  const { db, close } = await openStorage({ dataFolder: folder, databaseUrl: undefined })
  const store = openEventStore({ dataFolder: folder, databaseUrl: undefined, db })
  const direct = await openAppender(folder)
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = -1; round < rounds; round++) {
    const events = Array.from({ length: batches }, () => newEvents(APPEND_BATCH))
    const their = await measureTime(events, direct.append)
    const our = await measureTime(events, async (batch) => void (await store.append(1, batch)))
    if (round < 0) continue // the first round compiles
    ours.push(our)
    theirs.push(their)
    say(`append: ${Math.round(our)} of ${Math.round(their)} events/s = ${(our / their).toFixed(2)}`)
  }
  const stored = await store.count(1)
  if (stored !== (rounds + 1) * batches * APPEND_BATCH) throw new Error(`${stored} are stored`)
  direct.close()
  await store.close()
  await close()
  await rm(folder, { recursive: true })
  return [
    {
      ...compare(`append events in batches of ${APPEND_BATCH}`, ours, theirs, 'events/s'),
      unit: "of DuckDB's appender",
      goal: { atLeast: 0.6 },
    },
  ]
}

/** Measures capture over HTTP against a server that only reads the bodies, and one that also parses them. */
export async function measureCapture(say: Say, rounds = 3, seconds = 4): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-bench-'))
  await seed(folder, 0)
  const hedgerow = await startHedgerow(folder)
  const reader = await start([process.execPath, 'bench/events-bare.ts'])
  const parser = await start([process.execPath, 'bench/events-bare.ts', 'parse'])
  const token = await readToken(hedgerow)
  let first = 1
  const load = async ({ url }: Running) => {
    const load = { url, token, connections: CONNECTIONS, seconds, batch: CAPTURE_BATCH, first }
    const seen = await runLoad<{ rate: number; failures: number; next: number }>(
      'bench/events-load.ts',
      load,
    )
    if (seen.failures > 0) throw new Error(`${seen.failures} requests to ${url} failed`)
    first = seen.next
    return seen.rate
  }
  const rates: { ours: number[]; read: number[]; parsed: number[] } = {
    ours: [],
    read: [],
    parsed: [],
  }
  for (let round = -1; round < rounds; round++) {
    const [read, parsed, ours] = [await load(reader), await load(parser), await load(hedgerow)]
    say(
      `capture: ${Math.round(ours)} req/s; reading only ${Math.round(read)} = ${(ours / read).toFixed(2)}; reading and parsing ${Math.round(parsed)} = ${(ours / parsed).toFixed(2)}`,
    )
    if (round < 0) continue
    rates.ours.push(ours)
    rates.read.push(read)
    rates.parsed.push(parsed)
  }
  await Promise.all([hedgerow, reader, parser].map((server) => server.stop()))
  await rm(folder, { recursive: true })
  const name = `capture in batches of ${CAPTURE_BATCH}`
  const generator = 'bench/events-load.ts'
  return [
    {
      ...compare(name, rates.ours, rates.read, 'req/s'),
      unit: 'of only reading the bodies',
      generator,
    },
    {
      ...compare(`${name}, bodies parsed`, rates.ours, rates.parsed, 'req/s'),
      unit: 'of reading and parsing them',
      goal: { atLeast: 0.25 },
      generator,
    },
  ]
}

const newEvents = (count: number): NewEvent[] =>
  benchEvents(count).map((event) => ({ ...event, properties: JSON.stringify(event.properties) }))

async function measureTime(
  batches: readonly NewEvent[][],
  append: (batch: readonly NewEvent[]) => Promise<void>,
): Promise<number> {
  const began = performance.now()
  for (const batch of batches) await append(batch)
  return (batches.flat().length / (performance.now() - began)) * 1000
}

const compare = (
  what: string,
  ours: readonly number[],
  theirs: readonly number[],
  rate: string,
): Omit<Result, 'unit'> => ({
  subject: 'capture',
  what,
  ...ofTurns(ours, theirs),
  detail: `${listRounds(ours)} of ${listRounds(theirs)} ${rate}`,
})

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const say = (text: string) => process.stderr.write(`${text}\n`)
  const only = process.argv[2] ?? ''
  const results = [
    ...('append'.includes(only) ? await measureAppends(say) : []),
    ...('capture'.includes(only) ? await measureCapture(say) : []),
    ...('single'.includes(only) ? await measureSingleEvents(say) : []),
  ]
  for (const result of results) process.stdout.write(`${toLine(result)}\n`)
}
