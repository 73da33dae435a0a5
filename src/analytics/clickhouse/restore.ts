import { sql } from 'kysely'
import { toPlainArray } from '#server/db/array-text.ts'
import type { Tx } from '#server/db/schema.ts'
import { chunksOf } from '#server/db/values.ts'
import { foreignEvents } from '../damaged-events.ts'
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
import type { ClickHouse } from './connection.ts'
import { ALL_TABLES } from './create-tables.ts'
import { addColumns } from './materialize.ts'
import { createAll, createOutboxIn, rememberPlace, writeMarker } from './open-tables.ts'
import { OUTBOX_TABLE_NAMES } from './outbox/outbox-tables.ts'
import { LINE_COLUMNS, toLines } from './outbox/sink.ts'
import { probe } from './probe.ts'

const ROWS_PER_STATEMENT = 1000
/** Each insert makes a part of each month. */
const EVENTS_PER_INSERT = 50_000

/**
 * Restores to PostgreSQL in the caller's transaction, and events to ClickHouse, which has none. If it is interrupted, it
 * keeps the events, and the next restore of the same installation continues after them.
 */
export async function openRestoreTables(
  tx: Tx,
  clickHouse: ClickHouse,
  { folder: partsFolder, installation }: Omit<RestoreTarget, 'tx'>,
): Promise<RestoreTables> {
  const parquet = await openParquetReader()
  const progress = createProgress(clickHouse, installation.id)
  const { read, insert } = clickHouse
  let rows: NumberedRow[] = []
  let last = 0

  async function addEvents(some: readonly PortableRow[]): Promise<void> {
    const events = await toNumberedRows(tx, some)
    await insertKeys(tx, events)
    last = events.at(-1)?.seq ?? last
    rows.push(...events.filter(({ seq }) => seq > progress.upTo))
    if (rows.length >= EVENTS_PER_INSERT) await insertRows()
  }

  async function insertRows(): Promise<void> {
    const [first, latest] = [rows[0]?.seq, rows.at(-1)?.seq]
    if (latest === undefined) return
    const arrivals = rows.map(({ arrival }) => arrival)
    const lines = toLines(rows, await findGroupTypes(tx, arrivals))
    rows = []
    await insert('events', LINE_COLUMNS, [lines], {
      insert_deduplication_token: `restore ${installation.id} ${first} ${latest}`,
    })
    await progress.save(latest)
  }

  return {
    partsFolder,
    async clear() {
      await probe(clickHouse)
      await clearTables(tx, OUTBOX_TABLE_NAMES)
      await createOutboxIn(tx)
      await progress.open()
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

/** How far the events of an interrupted restore are in ClickHouse. */
function createProgress(clickHouse: ClickHouse, id: string) {
  const { run, read, layout } = clickHouse
  let upTo = 0
  return {
    get upTo() {
      return upTo
    },
    /** Continues a restore of the same installation, otherwise begins with empty tables. */
    async open() {
      await createAll(clickHouse)
      const [marker] = await read<{ installation: string }>('select installation from event_store')
      if (marker && marker.installation !== id) throw foreignEvents(clickHouse.place)
      await run(`create table if not exists restore_progress ${layout.onCluster}
        (installation String, seq Int64) engine = ${layout.cluster === undefined ? 'MergeTree' : "ReplicatedMergeTree('/clickhouse/tables/{database}/restore_progress', '{replica}')"} order by installation`)
      const [row] = await read<{ seq: number }>(
        `select max(seq) as seq from restore_progress where installation = '${id}'`,
      )
      upTo = row?.seq ?? 0
      if (upTo > 0) {
        // an insert may have been interrupted between two months
        await run(`delete from ${layout.events} ${layout.onCluster} where seq > ${upTo}`)
        return
      }
      for (const table of [...ALL_TABLES, 'restore_progress']) {
        await run(
          `truncate table ${table === 'events' ? layout.events : table} ${layout.onCluster}`,
        )
      }
    },
    async save(seq: number) {
      await run(`insert into restore_progress (installation, seq) values ('${id}', ${seq})`)
    },
    async end() {
      await run(`drop table if exists restore_progress ${layout.onCluster} sync`)
    },
  }
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
