import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openStorage, type StorageOptions } from '#server/db/open.ts'
import { storageOptions } from '../../../test/support/app/storage.ts'
import { backUp, restoreTo } from '../../../test/support/data/backups.ts'
import { newEvent } from '../../../test/support/data/events.ts'
import { until } from '../../../test/support/until.ts'
import type { EventStore } from '../event-store.ts'
import { openEventStore } from '../open.ts'
import { vacuumEvents } from './vacuum.ts'

const COUNT = 12_000

/** The PostgreSQL server of the tests has no autovacuum. */
async function open() {
  const { dataFolder, databaseUrl } = await storageOptions('postgres')
  // the server of the tests commits before it writes, and a vacuum passes over rows that are not written yet
  const options = { dataFolder, databaseUrl: `${databaseUrl}?options=-c%20synchronous_commit=on` }
  const { db, close } = await openStorage(options)
  onTestFinished(close)
  const events = openEventStore({ ...options, db })
  onTestFinished(events.close)
  return { events, options, db }
}

/** Stores events of two months, without a pause after which a vacuum would begin. */
async function fill(events: EventStore): Promise<void> {
  const all = Array.from({ length: COUNT }, (_, n) =>
    newEvent({ distinct_id: `person ${n}`, timestamp: toTime(n) }),
  )
  const batches = Array.from({ length: 6 }, (_, n) =>
    all.slice((n * COUNT) / 6, ((n + 1) * COUNT) / 6),
  )
  await Promise.all(batches.map((batch) => events.append(1, batch)))
}

const toTime = (n: number) =>
  n % 2 === 0 ? '2026-09-02T00:00:00.000Z' : '2026-10-02T00:00:00.000Z'

/** The tables of events, and the rows that each has. */
const TABLES: Readonly<Record<string, number>> = {
  event_keys: COUNT,
  events: COUNT,
  events_2026_09: COUNT / 2,
  events_2026_10: COUNT / 2,
  facts: COUNT,
  facts_2026_09: COUNT / 2,
  facts_2026_10: COUNT / 2,
  person_ids: COUNT,
  persons: COUNT,
}

/** Lists the tables whose size PostgreSQL knows, nearly, and of whose pages nearly all are visible. */
async function listVacuumed({ dataFolder, databaseUrl }: StorageOptions): Promise<string[]> {
  const { db, close } = await openStorage({ dataFolder, databaseUrl })
  const { rows } = await sql<{ name: string; rows: number; hidden: number }>`
    select relname as name, reltuples::int as rows,
      pg_relation_size(oid) / current_setting('block_size')::int - relallvisible as hidden
    from pg_class where relkind in ('r', 'p') and relname in (${sql.join(Object.keys(TABLES))})
    order by name`.execute(db)
  await close()
  expect(rows).toHaveLength(Object.keys(TABLES).length)
  return rows
    .filter(({ name, rows: known, hidden }) => known > (TABLES[name] ?? 0) * 0.8 && hidden <= 10)
    .map(({ name }) => name)
}

it('analyzes the tables after many events, and makes their pages visible to index-only scans', async () => {
  const { events, options } = await open()

  await fill(events)

  await until(async () => (await listVacuumed(options)).length === Object.keys(TABLES).length)
})

it('leaves it to the server that does it already', async () => {
  const { events, options, db } = await open()

  await db.transaction().execute(async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await sql`select pg_advisory_xact_lock(hashtext('hedgerow vacuum'))`.execute(tx)
    await fill(events)
    await events.close() // or its own vacuum would begin later
    await vacuumEvents(db)
  })
  const meanwhile = await listVacuumed(options)
  await vacuumEvents(db)

  expect(meanwhile).toEqual([])
  expect(await listVacuumed(options)).toEqual(Object.keys(TABLES))
})

it('is done when a restore ends', async () => {
  const { events, options } = await open()
  await fill(events)
  await events.close()

  const restored = await restoreTo('postgres', await backUp(options))

  expect(await listVacuumed(restored)).toEqual(Object.keys(TABLES))
})

/** Counts the rows that an index-only scan has to look up in the table. */
async function countHeapFetches({ dataFolder, databaseUrl }: StorageOptions): Promise<number> {
  const { db, close } = await openStorage({ dataFolder, databaseUrl })
  const { rows } = await db.connection().execute(async (connection) => {
    await sql`set enable_seqscan = off`.execute(connection)
    await sql`set enable_bitmapscan = off`.execute(connection)
    return sql<{ 'QUERY PLAN': string }>`explain (analyze, costs off)
      select count(person) from facts where project_id = 1 and event = 'visited'`.execute(
      connection,
    )
  })
  await close()
  const lines = rows.map((row) => row['QUERY PLAN']).join('\n')
  return [...lines.matchAll(/Heap Fetches: (\d+)/g)].reduce((sum, [, n]) => sum + Number(n), 0)
}

it('makes pages visible again in which merges changed few rows', async () => {
  const { events, options, db } = await open()
  await fill(events)
  await events.close()
  await vacuumEvents(db)
  const before = await countHeapFetches(options)
  const merges = Array.from({ length: COUNT / 100 }, (_, n) =>
    newEvent({
      event: '$identify',
      distinct_id: `person ${n * 100}`,
      timestamp: toTime(n),
      properties: `{"$anon_distinct_id":"person ${n * 100 + 50}"}`,
    }),
  )
  const other = await openStorage(options)
  const store = openEventStore({ ...options, db: other.db })
  await store.append(1, merges)
  const meanwhile = await countHeapFetches(options)
  await store.close()
  await other.close() // PostgreSQL counts what a connection did when it ends

  await vacuumEvents(db)

  expect(meanwhile).toBeGreaterThan(before + COUNT / 4)
  expect(await countHeapFetches(options)).toBeLessThan(COUNT / 20)
})
