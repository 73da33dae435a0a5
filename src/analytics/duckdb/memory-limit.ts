import type { DuckDBConnection } from '@duckdb/node-api'

/** DuckDB spills the rest to files. */
export const MEMORY_LIMIT = '256MB'

/** Deriving persons writes more than it reads: twice the memory would make it no faster, but peaks at 560 MB instead of 430. */
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
    await setLimit(connection, MEMORY_LIMIT)
  }
}

const setLimit = (connection: DuckDBConnection, limit: string) =>
  connection.run(`set memory_limit = '${limit}'`)
