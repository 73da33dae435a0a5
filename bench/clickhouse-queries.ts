import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClickHouse, connectToClickHouse } from '#server/analytics/clickhouse/connection.ts'
import { readProjectState } from '#server/analytics/clickhouse/project-state.ts'
import { runEventQuery } from '#server/analytics/clickhouse/run-query.ts'
import { EVENTS_FILE, type EventsFile } from '#server/analytics/duckdb/file.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import { openEventStore } from '#server/analytics/open.ts'
import { type Plan, runPlan } from '#server/analytics/queries/plan.ts'
import { createRunaways } from '#server/analytics/runaways.ts'
import { openStorage } from '#server/db/open.ts'
import type { Db } from '#server/db/schema.ts'
import { startPostgres } from '../test/support/servers/postgres.ts'
import {
  copyTables,
  insertVersions,
  prepareTables,
  repeatEvents,
  toVisitors,
} from './clickhouse-data.ts'
import { type Clocks, chooseClocks, type Engine, withDatabase } from './clickhouse-engine.ts'
import { compareInTurns } from './clickhouse-turns.ts'
import { listCases, SETTINGS } from './postgres.ts'
import { runOnFile } from './queries.ts'
import { SEVEN_DAYS } from './query-cases.ts'
import { DAYS, makeEvents } from './query-data.ts'
import { geometricMean, type Result, toLine, toText } from './result.ts'

const MAX_MEAN = 1.2
const MAX_RATIO = 1.6
const MAX_OF_MERGED = 1.4
const MAX_BYTES = 0.75
const MAX_GROWTH = 2
/** The kinds that count persons, before which merged persons have to be found. */
const OF_PERSONS = ['trend: people by day', 'retention by week']
const GROWTH_EVENTS = 10_000_000

type Say = (text: string) => void

/** The same events in the embedded store and in ClickHouse. */
interface Data {
  readonly events: number
  readonly folder: string
  readonly file: EventsFile
  readonly db: Db
  readonly store: EventStore
  readonly clickHouse: ClickHouse
  readonly clocks: Clocks
}

/** Measures query kinds and disk space against the embedded store with the same events. */
export function measureEventQueries(engine: Engine, events: number, say: Say): Promise<Result[]> {
  return withEvents(engine, { events, days: DAYS }, say, async (data) => [
    ...(await compareCases(data, say)),
    await compareBytes(data, say),
    ...(await compareMerged(data, say)),
  ])
}

/** Measures the same days of two projects in one table: the second has ten times as many events, over ten times as many days. */
export function measureGrowth(engine: Engine, say: Say): Promise<Result> {
  return withEvents(engine, { events: GROWTH_EVENTS, days: DAYS }, say, async (data) => {
    const { store, clickHouse, clocks } = data
    await repeatEvents(clickHouse, { from: 1, to: 2, times: 10, days: DAYS }, say)
    const clock = clocks.ofEngine
    const { ratio, one, other } = await compareInTurns(
      { clock, run: () => runPlan({ store, projectId: 2 }, SEVEN_DAYS) },
      { clock, run: () => runPlan({ store, projectId: 1 }, SEVEN_DAYS) },
    )
    return tell(say, {
      what: 'a 7-day trend over 100 million events against 10 million',
      ...ratio,
      unit: 'times',
      goal: { atMost: MAX_GROWTH },
      detail: `${toText(one)} against ${toText(other)} ms of ${clocks.unit}`,
    })
  })
}

async function withEvents<T>(
  engine: Engine,
  { events, days }: { readonly events: number; readonly days: number },
  say: Say,
  work: (data: Data) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-clickhouse-bench-'))
  const postgres = await startPostgres(SETTINGS)
  try {
    return await withDatabase(engine, async (settings) => {
      say(`making ${events.toLocaleString('en')} events`)
      await mkdir(join(folder, 'events'))
      const file = await makeEvents(join(folder, 'events'), events, say, {
        days,
        visitors: toVisitors(events),
      })
      const databaseUrl = postgres.url(await postgres.createDatabase())
      const storage = await openStorage({ dataFolder: folder, databaseUrl })
      const { db } = storage
      const store = openEventStore({ dataFolder: folder, databaseUrl, clickHouse: settings, db })
      const clickHouse = connectToClickHouse(settings)
      await prepareTables(db, store)
      await copyTables(file, clickHouse, events)
      const clocks = await chooseClocks(engine, clickHouse)
      const result = await work({ events, folder, file, db, store, clickHouse, clocks })
      await clickHouse.close()
      await store.close()
      await storage.close()
      await file.close()
      return result
    })
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function compareCases(data: Data, say: Say): Promise<Result[]> {
  const { events, file, store, clocks } = data
  const [load] = loadavg()
  const results: Result[] = []
  for (const { name, plan } of await listCases()) {
    const run = () => runPlan({ store, projectId: 1 }, plan)
    await requireSame(name, run, () => runOnFile(file, plan))
    const { ratio, one, other, own } = await compareInTurns(
      { clock: clocks.ofEngine, run },
      { clock: clocks.ofProcess, run: () => runOnFile(file, plan) },
    )
    results.push(
      tell(say, {
        what: name,
        ...ratio,
        unit: 'times the embedded store',
        goal: { atMost: MAX_RATIO },
        load,
        detail: `${toText(events)} events; ${toText(one)} against ${toText(other)} ms of ${clocks.unit}, and ${toText(own)} ms of CPU time in Hedgerow`,
      }),
    )
  }
  const mean = tell(say, {
    what: 'ten query kinds, geometric mean',
    value: geometricMean(results.map(({ value }) => value)),
    unit: 'times the embedded store',
    goal: { atMost: MAX_MEAN },
    load,
    detail: `${toText(events)} events, ${clocks.unit}`,
  })
  return [...results, mean]
}

/** Throws if two stores disagree: a faster wrong result is worth nothing. */
async function requireSame(
  name: string,
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<void> {
  const [ours, theirs] = [JSON.stringify(await one()), JSON.stringify(await other())]
  if (ours === theirs) return
  const at = [...ours].findIndex((character, index) => character !== theirs[index])
  const near = (text: string) => text.slice(Math.max(at - 100, 0), at + 100)
  throw new Error(`${name}: ClickHouse returns ${near(ours)}, the embedded store ${near(theirs)}`)
}

/** Compares all tables of both stores. The keys that PostgreSQL keeps to find duplicates do not count. */
async function compareBytes({ events, folder, store }: Data, say: Say): Promise<Result> {
  const ours = await store.readSize()
  const { size: theirs } = await stat(join(folder, 'events', EVENTS_FILE))
  return tell(say, {
    what: 'bytes per event',
    value: ours / theirs,
    unit: "of the embedded store's",
    goal: { atMost: MAX_BYTES },
    detail: `${toText(ours / events)} of ${toText(theirs / events)} bytes; parts merged; without the keys in PostgreSQL`,
  })
}

/** A tenth of the persons, each merged into the one before. */
const MOVES = `(
  select project_id, number, person from (
    select project_id, number, lag(number) over (order by number) as person, row_number() over (order by number) as place
    from persons
  ) where place % 10 = 0)`

/** Merges a tenth of the persons, which the events in ClickHouse do not know yet. */
async function compareMerged(data: Data, say: Say): Promise<Result[]> {
  const { file, db, clickHouse, clocks } = data
  await insertVersions(file.changes, clickHouse, 'person_moves', MOVES)
  await file.changes.run(
    `update facts set person = moves.person from ${MOVES} moves where facts.person = moves.number`,
  )
  const state = await readProjectState(db, 1)
  const runaways = createRunaways()
  const runWith = (hasMoves: boolean, plan: Plan) => {
    const query: EventStore['query'] = (projectId, query) =>
      runEventQuery({ clickHouse, runaways }, projectId, { ...state, hasMoves }, query)
    return runPlan({ store: { query }, projectId: 1 }, plan)
  }
  const results: Result[] = []
  for (const { name, plan } of await listCases()) {
    if (!OF_PERSONS.includes(name)) continue
    await requireSame(
      `${name} of merged persons`,
      () => runWith(true, plan),
      () => runOnFile(file, plan),
    )
    const clock = clocks.ofEngine
    const { ratio, one, other } = await compareInTurns(
      { clock, run: () => runWith(true, plan) },
      { clock, run: () => runWith(false, plan) },
    )
    results.push(
      tell(say, {
        what: `${name}, with a tenth of the persons merged since`,
        ...ratio,
        unit: 'times without merges',
        goal: { atMost: MAX_OF_MERGED },
        detail: `${toText(one)} against ${toText(other)} ms of ${clocks.unit}`,
      }),
    )
  }
  return results
}

function tell(say: Say, measured: Omit<Result, 'subject'>): Result {
  const result: Result = { subject: 'ClickHouse', ...measured }
  say(toLine(result))
  return result
}
