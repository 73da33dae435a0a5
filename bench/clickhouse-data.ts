import { sql } from 'kysely'
import type { ClickHouse } from '#server/analytics/clickhouse/connection.ts'
import { createOutbox } from '#server/analytics/clickhouse/open-tables.ts'
import { LINE_COLUMNS } from '#server/analytics/clickhouse/outbox/sink.ts'
import {
  columnNames,
  TABLE_NAMES,
  type VersionedTable,
} from '#server/analytics/clickhouse/tables.ts'
import type { EventsFile } from '#server/analytics/duckdb/file.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { Db } from '#server/db/schema.ts'
import { listCases } from './postgres.ts'
import { MATERIALIZED, type Visitors } from './query-data.ts'

/** The most events that one insert of a server has. */
const AT_A_TIME = 100_000

/** A fifth of the distinct IDs is merged into another. */
export const toVisitors = (events: number): Visitors => ({
  persons: Math.round(events * 0.08),
  accounts: Math.round(events * 0.02),
})

/** Gives the properties that the embedded store has columns for their columns in ClickHouse. */
export async function prepareTables(db: Db, store: EventStore): Promise<void> {
  await createOutbox(db)
  const read = (await listCases()).flatMap(({ plan }) => plan.properties)
  const keys = [...new Set([...MATERIALIZED, ...read])].map(
    (key, position) => sql`(${position}, ${key}, true)`,
  )
  await sql`delete from hot_properties`.execute(db)
  await sql`insert into hot_properties (position, key, is_filled) values ${sql.join(keys)}`.execute(
    db,
  )
  await store.count(1) // creates the tables and these columns
}

/** Copies what queries read, and ends the merging of parts. Storing the events by the front door would take minutes. */
export async function copyTables(
  { changes }: EventsFile,
  clickHouse: ClickHouse,
  events: number,
): Promise<void> {
  for (let after = 0; after < events; after += AT_A_TIME) {
    const source = `(select * from facts join events using (project_id, seq, uuid, event, distinct_id, timestamp)
      where seq > ${after} and seq <= ${after + AT_A_TIME})`
    await clickHouse.insert('events', LINE_COLUMNS, readLines(changes, source, LINE_COLUMNS))
  }
  for (const table of ['persons', 'person_ids'] as const) {
    await insertVersions(changes, clickHouse, table, table)
  }
  for (const table of TABLE_NAMES) await mergeParts(clickHouse, table)
}

/** Inserts the rows of a source in the embedded store into a table with versions. */
export const insertVersions = (
  changes: EventsFile['changes'],
  clickHouse: ClickHouse,
  table: VersionedTable,
  source: string,
): Promise<void> => {
  const columns = columnNames(table)
  return clickHouse.insert(table, columns, readLines(changes, source, columns))
}

interface Repetition {
  readonly from: number
  readonly to: number
  readonly times: number
  /** The length of the period that is repeated. */
  readonly days: number
}

/** Gives a project the events of another, and again in each of the periods before. ClickHouse copies them itself: sending 100 million would take an hour. */
export async function repeatEvents(
  clickHouse: ClickHouse,
  { from, to, times, days }: Repetition,
  say: (text: string) => void,
): Promise<void> {
  const columns = columnNames('events')
  for (let period = 0; period < times; period++) {
    const changed: Readonly<Record<string, string>> = {
      project_id: String(to),
      uuid: 'generateUUIDv4()',
      timestamp: `timestamp - ${period * days * 86_400_000}`,
    }
    const values = columns.map((column) => changed[column] ?? column)
    await clickHouse.run(
      `insert into events (${columns.join()}) select ${values.join()} from events where project_id = ${from}`,
      { max_partitions_per_insert_block: 0 },
    )
    say(`copied the events of ${period + 1} of ${times} periods`)
  }
  await mergeParts(clickHouse, 'events')
}

/** Otherwise merges would take CPU time during the measurement. */
const mergeParts = ({ run, layout }: ClickHouse, table: string): Promise<void> =>
  run(`optimize table ${table === 'events' ? layout.events : table} ${layout.onCluster} final`)

/** Writes columns that the embedded store does not have, or has as another type. */
const VALUES: Readonly<Record<string, string>> = {
  timestamp: 'epoch_ms(timestamp)',
  created_at: 'epoch_ms(created_at)',
  is_personless: 'false',
  may_change_person: "event = '$identify'",
  whole: 'null',
  version: '1',
  is_deleted: '0',
}

/** Reads rows as lines of fields with tabs between. The generated values need no escapes. */
async function* readLines(
  changes: EventsFile['changes'],
  source: string,
  columns: readonly string[],
): AsyncGenerator<string> {
  const fields = columns.map((column) => `coalesce((${VALUES[column] ?? column})::varchar, '\\N')`)
  const rows = await changes.stream(`select concat_ws(chr(9), ${fields.join()}) from ${source}`)
  for (let chunk = await rows.fetchChunk(); chunk?.rowCount; chunk = await rows.fetchChunk()) {
    yield `${chunk.getColumnValues(0).join('\n')}\n`
  }
}
