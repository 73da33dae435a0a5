import { sql } from 'kysely'
import type { Tx } from '#server/db/schema.ts'
import { chunksOf } from '#server/db/values.ts'
import type { RestoreTables } from '../derive/restore.ts'
import { findLastNumbers } from '../derive/sql/last-numbers.ts'
import type { EventRow } from '../event-row.ts'
import { openParquetReader, type PortableRow } from '../parquet/reader.ts'
import {
  columnsOf,
  PORTABLE_TABLE_NAMES,
  PORTABLE_TABLES,
  type PortableTable,
} from '../portable-tables.ts'
import { toArrival } from './arrivals.ts'
import { type ArrivedId, findPersons, toArrivedIds } from './insert-persons.ts'
import {
  copyEvents,
  copyFacts,
  type NumberedRow,
  toEventLines,
  toFactLines,
} from './insert-rows.ts'
import { toRunner } from './runner.ts'
import { NUMBERS_PER_BLOCK } from './sequence.ts'
import { countTable } from './snapshot.ts'
import { createPartitionIn, createTablesIn, toPartitionMonth } from './tables.ts'
import { readFactColumns } from './take-events.ts'
import { vacuumEvents } from './vacuum.ts'

/** Tables that an event store has besides those of a backup. */
const OTHER_TABLES = ['event_keys', 'event_store', 'event_versions', 'facts', 'hot_properties']

/** Restores in the caller's transaction. */
export async function openRestoreTables(tx: Tx, partsFolder: string): Promise<RestoreTables> {
  const parquet = await openParquetReader()
  const months = new Set<string>()
  return {
    partsFolder,
    async clear() {
      await clearTables(tx)
      await createTablesIn(tx)
    },
    check: parquet.check,
    async add(table, path) {
      for await (const read of parquet.read(table, path)) {
        for (const some of chunksOf(read, ROWS_PER_STATEMENT)) {
          await (table === 'events' ? insertEvents(tx, months, some) : insertTable(tx, table, some))
        }
      }
    },
    complete: () => completeTables(tx),
    count: (table) => countTable(tx, table),
    // everything is there; queries are slower until PostgreSQL does it
    publish: (db) => vacuumEvents(db).catch(() => {}),
    close: async () => parquet.close(),
  }
}

/** Drops the tables of an event store, and `others`. */
export async function clearTables(tx: Tx, others: readonly string[] = []): Promise<void> {
  const tables = [...PORTABLE_TABLE_NAMES, ...OTHER_TABLES, ...others]
  await sql.raw(`drop table if exists ${tables.join()} cascade`).execute(tx)
  await sql`drop sequence if exists event_blocks`.execute(tx)
}

const ROWS_PER_STATEMENT = 1000

const ARRAY_TYPES: Record<string, string> = { varchar: 'text' }

export async function insertTable(
  tx: Tx,
  table: PortableTable,
  rows: readonly PortableRow[],
): Promise<void> {
  const columns = Object.entries(PORTABLE_TABLES[table] as Record<string, string>)
  const names = columns.map(([name]) => (name === 'after_seq' ? 'seq' : name))
  const values = names.map((name) => (name === 'properties' ? 'properties::jsonb' : name))
  const arrays = columns.map(([, type], index) => {
    const cells = rows.map((row) => row[index])
    return sql`${cells}::${sql.raw(ARRAY_TYPES[type] ?? type)}[]`
  })
  await sql`insert into ${sql.table(table)} (${sql.raw(names.join())})
    select ${sql.raw(values.join())} from unnest(${sql.join(arrays)}) as given (${sql.raw(names.join())})`.execute(
    tx,
  )
}

async function insertEvents(
  tx: Tx,
  months: Set<string>,
  rows: readonly PortableRow[],
): Promise<void> {
  const numbered = await toNumberedRows(tx, rows)
  for (const { row } of numbered) {
    const month = toPartitionMonth(row.timestamp)
    if (month === undefined || months.has(month)) continue
    await createPartitionIn(tx, month)
    months.add(month)
  }
  const columns = await readFactColumns(
    tx,
    numbered.map(({ arrival }) => arrival),
  )
  await copyEvents(tx, toEventLines(numbered))
  await copyFacts(tx, columns, toFactLines(columns, numbered))
}

/** Reads events of a backup, with their persons, who are restored before. */
export async function toNumberedRows(
  tx: Tx,
  rows: readonly PortableRow[],
): Promise<readonly NumberedRow[]> {
  const names = columnsOf('events')
  const events = rows.map((row): Omit<NumberedRow, 'id'> => {
    const cell = Object.fromEntries(names.map((name, index) => [name, row[index]]))
    const event: EventRow = {
      projectId: cell.project_id as number,
      uuid: cell.uuid as string,
      event: cell.event as string,
      distinct_id: cell.distinct_id as string,
      timestamp: Date.parse(cell.timestamp as string),
      properties: cell.properties as string,
      fullProperties: cell.whole as string | null,
    }
    const createdAt = cell.created_at as string
    return { row: event, seq: cell.seq as number, arrival: toArrival(event), createdAt }
  })
  const ids = toArrivedIds(
    events.map(({ arrival }) => arrival),
    events.map(({ seq }) => seq),
  )
  await findPersons(tx, [...new Set(ids)])
  return events.map((event, index) => ({ ...event, id: ids[index] as ArrivedId }))
}

async function completeTables(tx: Tx): Promise<void> {
  await sql`insert into event_keys (project_id, uuid) select project_id, uuid from events`.execute(
    tx,
  )
  await sql`insert into event_versions (project_id, version) select distinct project_id, 1 from events`.execute(
    tx,
  )
  const { seq } = await findLastNumbers(toRunner(tx), 'facts')
  await sql`select setval('event_blocks', ${Math.floor(seq / NUMBERS_PER_BLOCK) + 1})`.execute(tx)
}
