import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { sql } from 'kysely'
import type { GivenType, GivenValue, SqlRunner } from '../derive/sql/runner.ts'
import { MAX_CHUNK_ROWS } from '../event-batch.ts'
import { appendChunk } from './append.ts'
import { compileStatement } from './compile-statement.ts'
import { toPointer } from './facts.ts'
import { loadDuckDb } from './load.ts'
import { readRows } from './read-rows.ts'

export const toRunner = (connection: DuckDBConnection): SqlRunner => ({
  async run<Row>(statement: Parameters<SqlRunner['run']>[0]) {
    const reader = await connection.runAndReadAll(compileStatement(statement))
    return reader.getRowObjects() as Row[]
  },
  async given(name, columns, rows) {
    await fillTempTable(connection, `given_${name}`, columns, rows)
    return sql.raw(`given_${name} as ${name}`)
  },
  toMilliseconds: (time) => sql`epoch_ms(${time})::double`,
  propertyText: (properties, key) => sql`json_extract_string(${properties}, ${toPointer(key)})`,
  async takeNumbers(count) {
    const next = `select nextval('person_numbers')::double from range(${count})`
    return (await readRows<[number]>(connection, next)).map(([number]) => number)
  },
  edits: { seq: sql.raw('after_seq'), position: sql`nextval('person_edit_positions')` },
})

const COLUMN_TYPES: Readonly<Record<GivenType, string>> = {
  bigint: 'bigint',
  integer: 'integer',
  boolean: 'boolean',
  text: 'varchar',
  json: 'varchar',
  time: 'timestamptz',
}

/** Creates a temporary table of these rows, for statements that join many values. Replaces one of the same name. */
async function fillTempTable(
  connection: DuckDBConnection,
  name: string,
  columns: Readonly<Record<string, GivenType>>,
  rows: readonly (readonly GivenValue[])[],
): Promise<void> {
  const definitions = Object.entries(columns).map(([key, type]) => `${key} ${COLUMN_TYPES[type]}`)
  await connection.run(`create or replace temp table ${name} (${definitions.join()})`)
  const { BOOLEAN, DOUBLE, VARCHAR, TIMESTAMPTZ, DuckDBDataChunk, DuckDBTimestampTZValue } =
    await loadDuckDb()
  // numbers as doubles: see `toEventChunk`
  const types = { bigint: DOUBLE, integer: DOUBLE, boolean: BOOLEAN, text: VARCHAR, json: VARCHAR }
  const chunkTypes = { ...types, time: TIMESTAMPTZ }
  const toValue = (type: GivenType, value: GivenValue): DuckDBValue =>
    type === 'time' ? new DuckDBTimestampTZValue(BigInt(value as number) * 1000n) : value
  const given = Object.values(columns)
  for (let from = 0; from < rows.length; from += MAX_CHUNK_ROWS) {
    const part = rows.slice(from, from + MAX_CHUNK_ROWS)
    const chunk = DuckDBDataChunk.create(
      given.map((type) => chunkTypes[type]),
      part.length,
    )
    chunk.setColumns(
      given.map((type, index) => part.map((row) => toValue(type, row[index] as GivenValue))),
    )
    await appendChunk(connection, { table: name, isTemporary: true }, chunk)
  }
}
