import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/schema.ts'
import { MAX_KEYS } from '../materialized-properties.ts'
import { lockEvents } from '../postgres/locks.ts'
import { readMaterialized } from '../postgres/materialized-columns.ts'
import type { ClickHouse } from './connection.ts'
import { toPropertyText } from './dialect/functions.ts'
import { toLiteral } from './dialect/literals.ts'
import { toMaterializedName } from './tables.ts'

/**
 * Gives properties a column. ClickHouse itself computes it from the properties: at once for new events, in the background
 * for stored ones, and when it is read for those that it has not reached.
 */
export async function materialize(
  db: Db,
  clickHouse: ClickHouse,
  keys: readonly string[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockEvents(tx)
    const known = await readMaterialized(tx)
    const missing = keys.filter((key) => !known.has(key)).slice(0, MAX_KEYS - known.size)
    for (const [index, key] of missing.entries()) {
      const position = known.size + index
      await addColumn(clickHouse, position, key)
      await sql`
        insert into hot_properties (position, key, is_filled) values (${position}, ${key}, true)`.execute(
        tx,
      )
    }
  })
}

/** Adds the columns that PostgreSQL lists and ClickHouse lacks. */
export async function addColumns(tx: Tx, clickHouse: ClickHouse): Promise<void> {
  const rows = await clickHouse.read<{ name: string }>(`
    select name from system.columns where database = currentDatabase() and table = '${clickHouse.layout.events}'`)
  const names = new Set(rows.map(({ name }) => name))
  for (const [key, position] of await readMaterialized(tx)) {
    if (names.has(toMaterializedName(position))) continue
    await addColumn(clickHouse, position, key, { isNew: true })
  }
}

async function addColumn(
  { run, layout }: ClickHouse,
  position: number,
  key: string,
  { isNew = false } = {},
): Promise<void> {
  const { events, onCluster, cluster } = layout
  const name = toMaterializedName(position)
  const definition = `${name} Nullable(String)`
  const value = toPropertyText('properties', toLiteral(key, 'text'))
  await run(
    `alter table ${events} ${onCluster} add column if not exists ${definition} materialized ${value}`,
  )
  if (cluster !== undefined) {
    await run(`alter table events ${onCluster} add column if not exists ${definition}`)
  }
  // nobody waits for it: until then, the column is computed when it is read
  if (!isNew) {
    await run(`alter table ${events} ${onCluster} materialize column ${name}`, {
      mutations_sync: '0',
    })
  }
}
