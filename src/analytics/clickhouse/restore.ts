import { sql } from 'kysely'
import { toPlainArray } from '#server/db/array-text.ts'
import { hasTable } from '#server/db/dialect.ts'
import type { ClickHouseSettings } from '#server/db/open.ts'
import type { Tx } from '#server/db/schema.ts'
import { chunksOf } from '#server/db/values.ts'
import type { RestoreTables } from '../derive/restore.ts'
import { findLastNumbers } from '../derive/sql/last-numbers.ts'
import type { RestoreTarget } from '../engine.ts'
import { openParquetReader, type PortableRow } from '../parquet/reader.ts'
import type { NumberedRow } from '../postgres/insert-rows.ts'
import { clearTables, insertTable, toNumberedRows } from '../postgres/restore.ts'
import { toRunner } from '../postgres/runner.ts'
import { NUMBERS_PER_BLOCK } from '../postgres/sequence.ts'
import { countTable } from '../postgres/snapshot.ts'
import { findGroupTypes } from '../postgres/take-events.ts'
import { connectToClickHouse } from './connection.ts'
import { addColumns } from './materialize.ts'
import { createOutboxIn, rememberPlace, writeMarker } from './open-tables.ts'
import { OUTBOX_TABLE_NAMES } from './outbox/outbox-tables.ts'
import { LINE_COLUMNS, toLines } from './outbox/sink.ts'
import { probe } from './probe.ts'
import { createProgress } from './restore-progress.ts'

const ROWS_PER_STATEMENT = 1000
/** Each insert makes a part of each month. */
const EVENTS_PER_INSERT = 50_000

/**
 * Restores to PostgreSQL in the caller's transaction, and events to ClickHouse, which has none. If it is interrupted, it
 * keeps the events, and the next restore of the same events continues after them.
 */
export async function openRestoreTables(
  tx: Tx,
  settings: ClickHouseSettings,
  { folder: partsFolder, installation }: Omit<RestoreTarget, 'tx'>,
): Promise<RestoreTables> {
  const clickHouse = connectToClickHouse(settings)
  const parquet = await openParquetReader()
  const progress = createProgress(clickHouse)
  const { read, insert } = clickHouse
  let rows: NumberedRow[] = []
  let last = 0

  async function addEvents(some: readonly PortableRow[]): Promise<void> {
    const events = await toNumberedRows(tx, some)
    await insertKeys(tx, events)
    last = events.at(-1)?.seq ?? last
    rows.push(...(await progress.skip(events)))
    if (rows.length >= EVENTS_PER_INSERT) await insertRows()
  }

  async function insertRows(): Promise<void> {
    const [first, latest] = [rows[0]?.seq, rows.at(-1)?.seq]
    if (latest === undefined) return
    const arrivals = rows.map(({ arrival }) => arrival)
    const lines = toLines(rows, await findGroupTypes(tx, arrivals))
    await insert('events', LINE_COLUMNS, [lines], {
      insert_deduplication_token: `restore ${installation.id} ${first} ${latest}`,
    })
    await progress.save(rows)
    rows = []
  }

  return {
    partsFolder,
    async clear() {
      await probe(clickHouse)
      const replaced = await findInstallationId(tx)
      await clearTables(tx, OUTBOX_TABLE_NAMES)
      await createOutboxIn(tx)
      await progress.open(replaced)
    },
    check: parquet.check,
    async add(table, path) {
      for await (const read of parquet.read(table, path)) {
        for (const some of chunksOf(read, ROWS_PER_STATEMENT)) {
          await (table === 'events' ? addEvents(some) : insertTable(tx, table, some))
        }
      }
    },
    async complete() {
      await insertRows()
      await progress.complete()
      await completeTables(tx, last)
      await addColumns(tx, clickHouse)
      await rememberPlace(tx)
      await writeMarker(clickHouse, installation.id)
    },
    async count(table) {
      if (table !== 'events') return countTable(tx, table)
      const [row] = await read<{ count: number }>('select toInt64(count()) as count from events')
      return row?.count ?? 0
    },
    publish: () => progress.end(),
    async close() {
      parquet.close()
      await clickHouse.close()
    },
  }
}

/** Finds the installation that the tables belong to which are about to be dropped. */
async function findInstallationId(tx: Tx): Promise<string | undefined> {
  if (!(await hasTable(tx, 'event_store'))) return undefined
  const { rows } = await sql<{ id: string | null }>`
    select installation as id from event_store`.execute(tx)
  return rows[0]?.id ?? undefined
}

async function insertKeys(tx: Tx, events: readonly NumberedRow[]): Promise<void> {
  await sql`
    insert into event_keys (project_id, uuid) select * from unnest(
      ${toPlainArray(events.map(({ row }) => row.projectId))}::bigint[],
      ${toPlainArray(events.map(({ row }) => row.uuid))}::uuid[])`.execute(tx)
}

async function completeTables(tx: Tx, last: number): Promise<void> {
  await sql`
    insert into event_versions (project_id, version) select distinct project_id, 1 from event_keys`.execute(
    tx,
  )
  const { seq } = await findLastNumbers(toRunner(tx), 'facts')
  const block = Math.floor(Math.max(last, seq) / NUMBERS_PER_BLOCK) + 1
  await sql`select setval('event_blocks', ${block})`.execute(tx)
}
