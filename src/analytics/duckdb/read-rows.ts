import type { DuckDBConnection } from '@duckdb/node-api'

export async function readRows<Row>(
  connection: DuckDBConnection,
  statement: string,
): Promise<Row[]> {
  return (await connection.runAndReadAll(statement)).getRows() as Row[]
}
