import type { DuckDBConnection, DuckDBType, DuckDBValue } from '@duckdb/node-api'
import { chunksOf } from '#server/db/values.ts'
import { MAX_CHUNK_ROWS } from '../event-batch.ts'
import { columnsOf, PORTABLE_TABLES, type PortableTable } from '../portable-tables.ts'
import { appendChunk } from './append.ts'
import { quote } from './facts.ts'
import { loadDuckDb } from './load.ts'

/** A value of a row: times as text in ISO 8601, UUIDs as text. */
export type PortableValue = string | number | boolean | null
export type PortableRow = readonly PortableValue[]

/** Reads and writes Parquet files of portable tables, with the columns in the order of `columnsOf`. */
export interface Parquet {
  /** Writes groups of rows into one file and returns the number of rows. Only one group is in memory as objects. */
  write(
    table: PortableTable,
    groups: AsyncIterable<readonly PortableRow[]>,
    path: string,
  ): Promise<number>
  read(table: PortableTable, path: string): Promise<PortableRow[]>
  close(): void
}

/** Uses a database in memory. A part is small enough for it. */
export async function openParquet(): Promise<Parquet> {
  const duckdb = await loadDuckDb()
  const instance = await duckdb.DuckDBInstance.create(':memory:', {
    memory_limit: '256MB',
    threads: '2',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  const connection = await instance.connect()
  await connection.run("set global TimeZone = 'UTC'")
  // DuckDB converts numbers and texts to the column's type
  const types: Record<string, DuckDBType> = {
    boolean: duckdb.BOOLEAN,
    bigint: duckdb.DOUBLE,
    integer: duckdb.DOUBLE,
  }

  return {
    async write(table, groups, path) {
      const columns = Object.entries(PORTABLE_TABLES[table])
      const given = columns.map(([, type]) => types[type] ?? duckdb.VARCHAR)
      const definitions = columns.map(([name, type]) => `${name} ${type}`)
      await connection.run(`create or replace table part (${definitions.join()})`)
      let count = 0
      for await (const rows of groups) {
        for (const some of chunksOf(rows, MAX_CHUNK_ROWS)) {
          const chunk = duckdb.DuckDBDataChunk.create(given, some.length)
          chunk.setColumns(columns.map((_, index) => some.map((row) => row[index] as DuckDBValue)))
          await appendChunk(connection, { table: 'part' }, chunk)
        }
        count += rows.length
      }
      if (count > 0) {
        await connection.run(`copy part to ${quote(path)} (format parquet, compression zstd)`)
      }
      await connection.run('drop table part')
      return count
    },
    read: (table, path) => readPart(connection, table, path),
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** The form in which a column of a type leaves DuckDB. */
const TO_VALUE: Record<string, (name: string) => string> = {
  bigint: (name) => `${name}::double`,
  integer: (name) => `${name}::double`,
  uuid: (name) => `${name}::varchar`,
  timestamptz: (name) => `strftime(timezone('UTC', ${name}), '%Y-%m-%dT%H:%M:%S.%fZ')`,
}

async function readPart(
  connection: DuckDBConnection,
  table: PortableTable,
  path: string,
): Promise<PortableRow[]> {
  const types: Record<string, string> = PORTABLE_TABLES[table]
  const columns = columnsOf(table).map((name) => TO_VALUE[types[name] as string]?.(name) ?? name)
  const reader = await connection.runAndReadAll(
    `select ${columns.join()} from read_parquet(${quote(path)})`,
  )
  return reader.getRows() as PortableRow[]
}
