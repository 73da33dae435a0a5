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
