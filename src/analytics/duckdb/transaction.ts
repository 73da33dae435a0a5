import type { DuckDBConnection } from '@duckdb/node-api'

export async function inTransaction<T>(
  connection: DuckDBConnection,
  work: () => Promise<T>,
  begin = 'begin',
): Promise<T> {
  try {
    await connection.run(begin)
    const result = await work()
    await connection.run('commit')
    return result
  } catch (error) {
    await connection.run('rollback').catch(() => {}) // fails after a failed begin or commit
    throw error
  }
}

/** Drops values that the statement does not name, which DuckDB would refuse. */
export const onlyNamed = (
  statement: string,
  values: Record<string, number>,
): Record<string, number> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => statement.includes(`$${name}`)))
