import { availableParallelism } from 'node:os'
import type { DuckDBConnection } from '@duckdb/node-api'

/** Settings that change while the database is open. */
export interface Limits {
  readonly memory_limit: string
  readonly threads: string
}

export const WHOLE_MB = 256

/** DuckDB spills the rest to files. */
export const WHOLE: Limits = {
  memory_limit: `${WHOLE_MB}MB`,
  threads: String(Math.min(availableParallelism(), 8)),
}

/** With all of it, deriving the persons of 10 million events again peaked at 556 MB. */
const REBUILD_LIMIT = '128MB'

/** Runs a task that reads all events once, such as deriving persons, with less memory for DuckDB. */
export async function withLessMemory<T>(
  connection: DuckDBConnection,
  task: () => Promise<T>,
): Promise<T> {
  await setLimits(connection, { memory_limit: REBUILD_LIMIT })
  try {
    return await task()
  } finally {
    await setLimits(connection, { memory_limit: WHOLE.memory_limit })
  }
}

export async function setLimits(
  connection: DuckDBConnection,
  limits: Partial<Limits>,
): Promise<void> {
  for (const [name, value] of Object.entries(limits)) {
    await connection.run(`set ${name} = '${value}'`)
  }
}
