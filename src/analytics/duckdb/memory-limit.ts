import type { DuckDBConnection } from '@duckdb/node-api'

/** DuckDB spills the rest to files. */
export const WHOLE_LIMIT = '256MB'

/** With all of it, deriving the persons of 10 million events again peaked at 556 MB. */
const REBUILD_LIMIT = '128MB'

/** Runs a task that derives persons with less memory for DuckDB. */
export async function withLessMemory<T>(
  connection: DuckDBConnection,
  task: () => Promise<T>,
): Promise<T> {
  await setLimit(connection, REBUILD_LIMIT)
  try {
    return await task()
  } finally {
    await setLimit(connection, WHOLE_LIMIT)
  }
}

export async function setLimit(connection: DuckDBConnection, limit: string): Promise<void> {
  await connection.run(`set memory_limit = '${limit}'`)
}
