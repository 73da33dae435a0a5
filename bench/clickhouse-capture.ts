import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { EventStore, NewEvent } from '#server/analytics/event-store.ts'
import { openEventStore } from '#server/analytics/open.ts'
import { type ClickHouseSettings, openStorage } from '#server/db/open.ts'
import type { Db } from '#server/db/schema.ts'
import { type Postgres, startPostgres } from '../test/support/servers/postgres.ts'
import { CUT_OFF, type Engine, readOwnCpu, withDatabase } from './clickhouse-engine.ts'
import { benchEvents } from './events-data.ts'
import { SETTINGS } from './postgres.ts'
import { cpuSecondsAround } from './processes.ts'
import { listRounds, median, ofTurns, type Result, toText } from './result.ts'
import { DURABLE } from './servers.ts'

const BATCH = 1000
const BATCHES = 40
const CALLERS = 4
const ROUNDS = 5
const MIN_RATIO = 1.2
/** Every fifth event is of a new person. */
const NEW_PERSONS = 5

type Say = (text: string) => void

interface OpenStore {
  readonly db: Db
  readonly store: EventStore
  close(): Promise<void>
}

/** Measures how fast events are taken in, against the store in PostgreSQL alone. */
export async function measureIntake(engine: Engine, say: Say): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-clickhouse-bench-'))
  const postgres = await startPostgres([...SETTINGS, ...DURABLE], tmpdir())
  try {
    const results: Result[] = []
    for (const isCutOff of engine.isNative ? [true, false] : [true]) {
      const result = await withDatabase(engine, (settings) =>
        compareStores(folder, postgres, settings, { isCutOff, say }),
      )
      results.push(result)
    }
    return results
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function compareStores(
  folder: string,
  postgres: Postgres,
  settings: ClickHouseSettings,
  { isCutOff, say }: { readonly isCutOff: boolean; readonly say: Say },
): Promise<Result> {
  const what = `captures in batches of ${BATCH.toLocaleString('en')}, a fifth of new persons, ${isCutOff ? 'waiting for ClickHouse' : 'sent to ClickHouse meanwhile'}`
  const [load] = loadavg()
  const theirs = await openStore(folder, postgres.url(await postgres.createDatabase()))
  const databaseUrl = postgres.url(await postgres.createDatabase())
  const first = await openStore(folder, databaseUrl, settings)
  await first.store.append(1, newEvents(1)) // the first start needs ClickHouse
  await first.store.count(1)
  await first.close()
  const url = isCutOff ? CUT_OFF : settings.url
  const ours = await openStore(folder, databaseUrl, { ...settings, url })
  const rounds: { ours: Intake; theirs: Intake }[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const batches = Array.from({ length: BATCHES }, () => newEvents(BATCH))
    const measured = { theirs: await takeIn(theirs, batches), ours: await takeIn(ours, batches) }
    say(`${what}: ${describe(measured.ours)} against ${describe(measured.theirs)}`)
    if (round > 0) rounds.push(measured) // the first round compiles
  }
  await ours.close()
  await theirs.close()
  const rates = (of: 'ours' | 'theirs') => rounds.map((each) => each[of].rate)
  const cpu = (of: 'ours' | 'theirs') => toText(median(rounds.map((each) => each[of].cpuMs)))
  return {
    subject: 'ClickHouse',
    what,
    ...ofTurns(rates('ours'), rates('theirs')),
    unit: 'of the store in PostgreSQL',
    goal: { atLeast: MIN_RATIO },
    load,
    detail: `${listRounds(rates('ours'))} of ${listRounds(rates('theirs'))} events/s; ${cpu('ours')} against ${cpu('theirs')} ms of CPU time of Hedgerow and PostgreSQL for ${BATCH.toLocaleString('en')} events; ${CALLERS} callers`,
  }
}

export async function openStore(
  dataFolder: string,
  databaseUrl: string,
  clickHouse?: ClickHouseSettings,
): Promise<OpenStore> {
  const storage = await openStorage({ dataFolder, databaseUrl })
  const store = openEventStore({ dataFolder, databaseUrl, clickHouse, db: storage.db })
  return {
    db: storage.db,
    store,
    async close() {
      await store.close()
      await storage.close()
    },
  }
}

export const newEvents = (count: number): NewEvent[] =>
  benchEvents(count).map((event, index) => ({
    ...event,
    distinct_id: index % NEW_PERSONS ? event.distinct_id : `new-${event.uuid}`,
    properties: JSON.stringify(event.properties),
  }))

interface Intake {
  /** Events per second. */
  readonly rate: number
  /** Milliseconds of CPU time of this process and of PostgreSQL for one batch, which other work does not change. */
  readonly cpuMs: number
}

const describe = ({ rate, cpuMs }: Intake): string =>
  `${rate.toFixed(0)} events/s, ${cpuMs.toFixed(0)} ms of CPU time a batch`

/** Lets a few callers send one batch after the other. */
async function takeIn({ store, db }: OpenStore, batches: readonly NewEvent[][]): Promise<Intake> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const readCpu = () => readOwnCpu() + cpuSecondsAround(rows[0]?.pid as number) * 1000
  const [start, before] = [performance.now(), readCpu()]
  const left = batches.values()
  const send = async () => {
    for (const batch of left) await store.append(1, batch)
  }
  await Promise.all(Array.from({ length: CALLERS }, send))
  const seconds = (performance.now() - start) / 1000
  return {
    rate: (batches.length * BATCH) / seconds,
    cpuMs: (readCpu() - before) / batches.length,
  }
}
