import { loadDuckDb } from '../duckdb/load.ts'
import { columnsOf, PORTABLE_TABLES, type PortableTable } from '../portable-tables.ts'
import { fromPart, requirePart } from './check-part.ts'

/** A row with the columns in the order of `columnsOf`: times as text in ISO 8601, UUIDs as text. */
export type PortableRow = readonly (string | number | boolean | null)[]

/** Reads Parquet files of portable tables. */
export interface ParquetReader {
  /** Throws unless the file is a part of the table with this number of rows. */
  check(table: PortableTable, path: string, rows: number): Promise<void>
  /** Reads the rows of a file in groups, so that only one is in memory as objects. */
  read(table: PortableTable, path: string): AsyncIterable<PortableRow[]>
  close(): void
}

/** Uses DuckDB in memory, for any engine. A part is small enough for it. */
export async function openParquetReader(): Promise<ParquetReader> {
  const duckdb = await loadDuckDb()
  const instance = await duckdb.DuckDBInstance.create(':memory:', {
    memory_limit: '256MB',
    threads: '1',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  const connection = await instance.connect()
  await connection.run("set global TimeZone = 'UTC'")

  return {
    check: (table, path, rows) => requirePart(connection, table, path, rows),
    async *read(table, path) {
      const rows = await connection.stream(select(table, path))
      for (let chunk = await rows.fetchChunk(); chunk?.rowCount; chunk = await rows.fetchChunk()) {
        yield chunk.getRows() as PortableRow[]
      }
    },
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

function select(table: PortableTable, path: string): string {
  const types: Record<string, string> = PORTABLE_TABLES[table]
  const columns = columnsOf(table).map((name) => TO_VALUE[types[name] as string]?.(name) ?? name)
  return `select ${columns.join()} from ${fromPart(path)}`
}
