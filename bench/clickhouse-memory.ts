import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { lockOutbox } from '#server/analytics/clickhouse/outbox/shipping.ts'
import { readWaiting } from '#server/analytics/clickhouse/outbox/waiting.ts'
import { openStorage } from '#server/db/open.ts'
import type { Db } from '#server/db/schema.ts'
import { startPostgres } from '../test/support/servers/postgres.ts'
import { newEvents, openStore } from './clickhouse-capture.ts'
import { type Engine, withDatabase } from './clickhouse-engine.ts'
import { startStandIn } from './clickhouse-stand-in.ts'
import { SETTINGS } from './postgres.ts'
import { memoryOf, peakMemoryOf, type Running, startHedgerowOnClickHouse } from './processes.ts'
import { type Result, toLine, toText } from './result.ts'
import { seed } from './seed.ts'
import { DURABLE } from './servers.ts'

const NATIVE_EVENTS = 10_000_000
const DISCARDED_EVENTS = 1_000_000
/** Taken in as events of a server are; the others repeat their lines. */
const TAKEN_IN = 100_000
const BATCH = 1000
const MAX_MB = 250
const POLL_MS = 500

type Say = (text: string) => void

/** Measures the memory of a server that starts while many events wait, until ClickHouse has all of them. */
export async function measureShippingMemory(engine: Engine, say: Say): Promise<Result> {
  if (engine.isNative) {
    return withDatabase(engine, ({ url }) =>
      measureMemory({ eventsUrl: url, events: NATIVE_EVENTS, receiver: engine.name, say }),
    )
  }
  const standIn = await startStandIn()
  try {
    const receiver = `a server that discards them at the speed of ClickHouse, because ${engine.name} is too slow`
    const eventsUrl = standIn.url
    return await measureMemory({ eventsUrl, events: DISCARDED_EVENTS, receiver, say })
  } finally {
    await standIn.stop()
  }
}

interface Shipment {
  readonly eventsUrl: string
  readonly events: number
  /** Names what the events are sent to. */
  readonly receiver: string
  readonly say: Say
}

async function measureMemory({ eventsUrl, events, receiver, say }: Shipment): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-clickhouse-bench-'))
  const postgres = await startPostgres([...SETTINGS, ...DURABLE], tmpdir())
  const [load] = loadavg()
  try {
    const databaseUrl = postgres.url(await postgres.createDatabase())
    await seed(folder, 0, databaseUrl)
    const { db, close } = await openStorage({ dataFolder: folder, databaseUrl })
    await fillOutbox(db, { folder, databaseUrl, eventsUrl, events })
    say(`sending ${events.toLocaleString('en')} events that wait`)
    const server = await startHedgerowOnClickHouse(folder, databaseUrl, eventsUrl)
    const [start, ready] = [performance.now(), memoryOf(server.pid)]
    await untilSent(db, server)
    const seconds = (performance.now() - start) / 1000
    const peak = peakMemoryOf(server.pid)
    await server.stop()
    await close()
    const result: Result = {
      subject: 'ClickHouse',
      what: 'memory of the server while waiting events are sent to ClickHouse',
      value: peak,
      unit: 'MB',
      goal: { atMost: MAX_MB },
      load,
      detail: `largest resident memory of \`hedgerow serve\`, which has ${toText(ready)} MB when it is ready; ${toText(events)} events in ${toText(seconds)} s to ${receiver}`,
    }
    say(toLine(result))
    return result
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Outbox {
  readonly folder: string
  readonly databaseUrl: string
  readonly eventsUrl: string
  readonly events: number
}

async function fillOutbox(db: Db, outbox: Outbox): Promise<void> {
  const { folder, databaseUrl, eventsUrl: url, events } = outbox
  const clickHouse = { url, cluster: undefined, keysDays: 0, maxWaitingMb: 100_000 }
  const { store, close } = await openStore(folder, databaseUrl, clickHouse)
  await store.version(1) // creates the tables
  await db.transaction().execute(async (tx) => {
    await lockOutbox(tx) // so that nothing is sent yet
    for (let done = 0; done < TAKEN_IN; done += BATCH) await store.append(1, newEvents(BATCH))
    await close()
  })
  const repeated = sql.lit(events / TAKEN_IN - 1)
  await sql`
    insert into outbox_events (projects, events, bytes, lines)
    select projects, events, bytes, lines from outbox_events cross join generate_series(1, ${repeated})`.execute(
    db,
  )
  const waiting = await readWaiting(db, 1024)
  if (waiting.events !== events) throw new Error(`${waiting.events} events wait`)
}

/** Asks whether the server is ready, because it opens the events at its first request. */
async function untilSent(db: Db, { url }: Running): Promise<void> {
  await fetch(`${url}/_ready`)
  while ((await readWaiting(db, 1024)).events > 0) await wait(POLL_MS)
}
