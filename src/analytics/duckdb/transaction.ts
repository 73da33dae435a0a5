import type { DuckDBConnection } from '@duckdb/node-api'

export async function inTransaction<T>(
  connection: DuckDBConnection,
  work: () => Promise<T>,
): Promise<T> {
  await connection.run('begin')
  try {
    const result = await work()
    await connection.run('commit')
    return result
  } catch (error) {
    await connection.run('rollback').catch(() => {}) // fails after a failed commit, which has ended the transaction
    throw error
  }
}

/** Drops values that the statement does not name, which DuckDB would refuse. */
export const onlyNamed = (
  statement: string,
  values: Record<string, number>,
): Record<string, number> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => statement.includes(`$${name}`)))
