import type { DuckDBConnection } from '@duckdb/node-api'

export async function inTransaction(
  connection: DuckDBConnection,
  work: () => Promise<unknown>,
): Promise<void> {
  await connection.run('begin')
  try {
    await work()
    await connection.run('commit')
  } catch (error) {
    await connection.run('rollback').catch(() => {}) // a commit that failed has ended it already
    throw error
  }
}

/** DuckDB refuses a value that its statement does not name. */
export const onlyNamed = (
  statement: string,
  values: Record<string, number>,
): Record<string, number> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => statement.includes(`$${name}`)))
