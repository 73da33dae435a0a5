import { type RawBuilder, sql } from 'kysely'
import type { Tx } from './schema.ts'

/**
 * Reads the rows of a query on PostgreSQL in groups, so that only one group is in memory. No other open cursor of the
 * transaction may have the name.
 */
export async function* readCursor<T>(
  tx: Tx,
  name: string,
  query: RawBuilder<unknown>,
  count: number,
): AsyncGenerator<T[]> {
  const cursor = sql.ref(name)
  await sql`declare ${cursor} no scroll cursor for ${query}`.execute(tx)
  for (;;) {
    const { rows } = await sql<T>`fetch ${sql.lit(count)} from ${cursor}`.execute(tx)
    yield rows
    if (rows.length < count) break
  }
  await sql`close ${cursor}`.execute(tx)
}
