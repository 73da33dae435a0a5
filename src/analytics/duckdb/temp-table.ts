import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { MAX_CHUNK_ROWS } from '../event-batch.ts'
import { appendChunk } from './append.ts'

/** Converts a column of milliseconds to a time, which temporary tables have no type for. */
export const toTime = (milliseconds: string): string =>
  `make_timestamptz(${milliseconds}::bigint * 1000)`

type ColumnType = 'boolean' | 'double' | 'varchar'

/** Creates a temporary table of these rows, for statements that join many values. Replaces one of the same name. */
export async function fillTempTable(
  connection: DuckDBConnection,
  name: string,
  columns: Readonly<Record<string, ColumnType>>,
  rows: readonly (readonly DuckDBValue[])[],
): Promise<void> {
  const { BOOLEAN, DOUBLE, VARCHAR, DuckDBDataChunk } = await import('@duckdb/node-api')
  const types = { boolean: BOOLEAN, double: DOUBLE, varchar: VARCHAR }
  const columnTypes = Object.values(columns).map((type) => types[type])
  const definitions = Object.entries(columns).map(([column, type]) => `${column} ${type}`)
  await connection.run(`create or replace temp table ${name} (${definitions.join()})`)
  for (let from = 0; from < rows.length; from += MAX_CHUNK_ROWS) {
    const part = rows.slice(from, from + MAX_CHUNK_ROWS)
    const chunk = DuckDBDataChunk.create(columnTypes, part.length)
    chunk.setColumns(columnTypes.map((_, column) => part.map((row) => row[column] as DuckDBValue)))
    await appendChunk(connection, { table: name, isTemporary: true }, chunk)
  }
}
