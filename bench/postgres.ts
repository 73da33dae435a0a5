import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { EventsFile } from '#server/analytics/duckdb/file.ts'
import type { EventStore, NewEvent } from '#server/analytics/event-store.ts'
import { createPostgresStore } from '#server/analytics/postgres/store.ts'
import { createPartition } from '#server/analytics/postgres/tables.ts'
import { runPlan } from '#server/analytics/queries/plan.ts'
import { mapAtMost } from '#server/concurrency.ts'
import { openStorage } from '#server/db/open.ts'
import type { Db } from '#server/db/schema.ts'
import { startPostgres } from '../test/support/servers/postgres.ts'
import { inTurns } from './in-turns.ts'
import { runOnFile, sqlCase } from './queries.ts'
import { QUERY_CASES, type QueryCase, SEVEN_DAYS, WEB_CASES } from './query-cases.ts'
import { END, MATERIALIZED, makeEvents, type ToInsertion } from './query-data.ts'
import { geometricMean, median, ofTurns, type Result, toLine, toText } from './result.ts'
import { visitsUntil } from './visits-data.ts'

const EVENTS = 2_000_000
const VISITORS = { persons: 160_000, accounts: 40_000 }
const TEN_KINDS = { title: 'ten query kinds', maxMean: 3 }
const PAGE_WEB = { title: 'page Web', maxMean: 4 }
const MAX_RATIO = 8

/** PostgreSQL's own defaults, where the tests' server has others. */
export const SETTINGS = ['shared_buffers=128MB', 'autovacuum=on']

/** From the first event to the last. */
const MONTHS = ['2026-01', '2026-02', '2026-03']

/** Queries do not read the two columns that the embedded store lacks. */
const SOURCES: Readonly<Record<string, string>> = {
  facts: '(select *, false as is_personless, false as may_change_person from facts)',
}

type Say = (text: string) => void

/** Measures each query kind on PostgreSQL against the embedded store with the same events, in turns. */
export const measurePostgres = (say: Say): Promise<Result[]> =>
  withBothStores(say, async (stores) => [
    ...(await compareCases(stores, await listCases(), TEN_KINDS, say)),
    await compareAfterImport(stores.file, await stores.openEmpty(), say),
  ])

/** Measures the queries of the page *Web* on PostgreSQL in the same way. */
export const measureVisitsOnPostgres = (say: Say): Promise<Result[]> =>
  withBothStores(say, (stores) => compareCases(stores, WEB_CASES, PAGE_WEB, say), visitsUntil(END))

/** The same events in the embedded store and on PostgreSQL. */
interface BothStores {
  readonly file: EventsFile
  readonly store: EventStore
  readonly db: Db
  /** Opens a store without events in another database of the server. */
  openEmpty(): Promise<EventStore>
}

export async function withBothStores<T>(
  say: Say,
  work: (stores: BothStores) => Promise<T>,
  toInsertion?: ToInsertion,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-postgres-bench-'))
  await chmod(folder, 0o755) // PostgreSQL's user reads the copied tables
  const postgres = await startPostgres(SETTINGS)
  try {
    say(`making ${EVENTS.toLocaleString('en')} events`)
    const events = join(folder, 'events')
    await mkdir(events)
    const file = await makeEvents(events, EVENTS, say, { visitors: VISITORS, toInsertion })
    const opened: { close(): Promise<void> }[] = [file]
    const open = async () => {
      const databaseUrl = postgres.url(await postgres.createDatabase())
      const storage = await openStorage({ dataFolder: join(folder, 'data'), databaseUrl })
      const store = createPostgresStore(storage.db)
      opened.push(storage, store)
      await prepareColumns(storage.db, store)
      return { store, db: storage.db }
    }
    const { store, db } = await open()
    await copyTables(folder, file, db)
    const openEmpty = async () => (await open()).store
    const result = await work({ file, store, db, openEmpty })
    for (const each of opened.toReversed()) await each.close()
    return result
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Gives the properties that queries read the same columns as in the embedded store. */
async function prepareColumns(db: Db, store: EventStore): Promise<void> {
  await store.count(1) // creates the tables
  const read = (await listCases()).flatMap(({ plan }) => plan.properties)
  const keys = [...new Set([...MATERIALIZED, ...read])].map(
    (key, position) => sql`(${position}, ${key}, true)`,
  )
  await sql`delete from hot_properties`.execute(db)
  await sql`insert into hot_properties values ${sql.join(keys)}`.execute(db)
}

/** Copies what queries read. Storing the events by the front door would take minutes. */
async function copyTables(folder: string, { changes }: EventsFile, db: Db): Promise<void> {
  const columns = MATERIALIZED.map((_, position) => `p${position}`).join(', ')
  const tables = {
    facts: `project_id, seq, person, timestamp, uuid, event, distinct_id, is_personless, may_change_person, ${columns}`,
    person_ids: 'project_id, distinct_id, person',
    persons: 'project_id, number, uuid, created_at, has_profile, is_identified, properties',
  }
  for (const month of MONTHS) await createPartition(db, month)
  for (const [table, columns] of Object.entries(tables)) {
    const path = join(folder, table)
    await writeRows(changes, SOURCES[table] ?? table, columns, path)
    await chmod(path, 0o644)
    await sql.raw(`copy ${table} (${columns}) from '${path}'`).execute(db)
  }
  await sql.raw('vacuum analyze').execute(db)
}

/** Writes a table as PostgreSQL's COPY reads it. The generated values need no escapes. */
async function writeRows(
  changes: EventsFile['changes'],
  source: string,
  columns: string,
  path: string,
): Promise<void> {
  const fields = columns.split(', ').map((column) => `coalesce(${column}::varchar, '\\N')`)
  const rows = await changes.stream(`select concat_ws(chr(9), ${fields.join()}) from ${source}`)
  const out = createWriteStream(path)
  for (let chunk = await rows.fetchChunk(); chunk?.rowCount; chunk = await rows.fetchChunk()) {
    const lines = chunk.getColumnValues(0).join('\n')
    if (!out.write(`${lines}\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
}

/** Lists the ten query kinds. */
export const listCases = async () => [
  ...QUERY_CASES,
  await sqlCase(),
  { name: 'trend: 7 days', plan: SEVEN_DAYS },
]

type Case = Pick<QueryCase, 'name' | 'plan'>

async function compareCases(
  { file, store }: Pick<BothStores, 'file' | 'store'>,
  cases: readonly Case[],
  { title, maxMean }: { readonly title: string; readonly maxMean: number },
  say: Say,
): Promise<Result[]> {
  const results: Result[] = []
  for (const { name, plan } of cases) {
    const [ours, theirs] = await inTurns(
      () => runPlan({ store, projectId: 1 }, plan),
      () => runOnFile(file, plan),
    )
    const result: Result = {
      subject: 'PostgreSQL',
      what: name,
      ...ofTurns(ours, theirs),
      unit: 'times the embedded store',
      goal: { atMost: MAX_RATIO },
      detail: `${toText(median(ours))} against ${toText(median(theirs))} ms`,
    }
    say(toLine(result))
    results.push(result)
  }
  const mean: Result = {
    subject: 'PostgreSQL',
    what: `${title}, geometric mean`,
    value: geometricMean(results.map(({ value }) => value)),
    unit: 'times the embedded store',
    goal: { atMost: maxMean },
    detail: '2 million events',
  }
  say(toLine(mean))
  return [...results, mean]
}

const BATCH = 2000
const AT_A_TIME = 100_000
const CALLERS = 3

/** Runs each query kind once, from the moment at which the last event of an import is stored. */
async function compareAfterImport(file: EventsFile, store: EventStore, say: Say): Promise<Result> {
  say(`importing ${EVENTS.toLocaleString('en')} events`)
  for (let after = 0; after < EVENTS; after += AT_A_TIME) {
    const events = await readEvents(file, after)
    const batches = Array.from({ length: Math.ceil(events.length / BATCH) }, (_, n) =>
      events.slice(n * BATCH, (n + 1) * BATCH),
    )
    await mapAtMost(CALLERS, batches, (batch) => store.append(1, batch))
  }
  const ratios: number[] = []
  for (const { plan } of await listCases()) {
    const ours = await timed(() => runPlan({ store, projectId: 1 }, plan))
    ratios.push(ours / (await timed(() => runOnFile(file, plan))))
  }
  const result: Result = {
    subject: 'PostgreSQL',
    what: 'ten query kinds right after an import, geometric mean',
    value: geometricMean(ratios),
    unit: 'times the embedded store',
    goal: { atMost: 3.5 },
    detail: `${EVENTS.toLocaleString('en')} events, each kind once: ${ratios.map(toText).join(' / ')}`,
  }
  say(toLine(result))
  return result
}

async function readEvents({ changes }: EventsFile, after: number): Promise<NewEvent[]> {
  const reader = await changes.runAndReadAll(
    `select uuid::varchar as uuid, event, distinct_id, properties,
      strftime(timestamp at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ') as timestamp
    from events where seq > ${after} and seq <= ${after + AT_A_TIME} order by seq`,
  )
  return reader.getRowObjects() as unknown as NewEvent[]
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
