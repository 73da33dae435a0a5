import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { EventStore } from '#server/analytics/event-store.ts'
import { startPostgres } from '../test/support/servers/postgres.ts'
import { newEvents, openStore } from './clickhouse-capture.ts'
import { type Engine, withDatabase } from './clickhouse-engine.ts'
import { SETTINGS } from './postgres.ts'
import { median, type Result, toLine, toText } from './result.ts'
import { DURABLE } from './servers.ts'

const APPENDS = 200
/** Create the tables and compile: statements of chdb-wasm take up to 3 s in its first minute. */
const FIRST = 20
const BATCH = 5
const MAX_MS = 2000

type Say = (text: string) => void

/** Measures the time from the response to a small append until a query sees its last event. */
export async function measureSeen(engine: Engine, say: Say): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-clickhouse-bench-'))
  const postgres = await startPostgres([...SETTINGS, ...DURABLE], tmpdir())
  const [load] = loadavg()
  try {
    const databaseUrl = postgres.url(await postgres.createDatabase())
    return await withDatabase(engine, async (settings) => {
      const { store, close } = await openStore(folder, databaseUrl, settings)
      for (let append = 0; append < FIRST; append++) await appendAndSee(store)
      const times: number[] = []
      for (let append = 0; append < APPENDS; append++) times.push(await appendAndSee(store))
      await close()
      const sorted = times.toSorted((a, b) => a - b)
      const result: Result = {
        subject: 'ClickHouse',
        what: 'events in ClickHouse, from response to seen, p99',
        value: sorted[Math.ceil(APPENDS * 0.99) - 1] as number,
        unit: 'ms',
        goal: { atMost: MAX_MS },
        load,
        detail: `${APPENDS} appends of ${BATCH} events after ${FIRST} others; median ${toText(median(times))} ms, longest ${toText(sorted.at(-1) as number)} ms; ${describeEngine(engine)}`,
      }
      say(toLine(result))
      return result
    })
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const describeEngine = ({ name, isNative }: Engine): string =>
  isNative
    ? name
    : `${name}, which runs one statement at a time in WebAssembly: a native engine takes less`

async function appendAndSee(store: EventStore): Promise<number> {
  const distinctId = crypto.randomUUID()
  const events = newEvents(BATCH).map((event) => ({ ...event, distinct_id: distinctId }))
  await store.append(1, events)
  const start = performance.now()
  while ((await countEvents(store, distinctId)) < BATCH);
  return performance.now() - start
}

async function countEvents(store: EventStore, distinctId: string): Promise<number> {
  const [row] = await store.query(1, {
    properties: [],
    toSql: ({ rows }) => sql`
      select count(*)::double precision as count from ${rows} e where e.distinct_id = ${sql.lit(distinctId)}`,
  })
  return Number(row?.count)
}
