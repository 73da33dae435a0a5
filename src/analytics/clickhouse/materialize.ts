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
    const columns = missing.map((key, index) => ({ key, position: known.size + index }))
    await add(clickHouse, columns)
    for (const { key, position } of columns) {
      await sql`
        insert into hot_properties (position, key, is_filled) values (${position}, ${key}, true)`.execute(
        tx,
      )
    }
    // nobody waits for it: until then, columns of stored events are computed when they are read
    await alter(
      clickHouse,
      columns.map(({ position }) => `materialize column ${toMaterializedName(position)}`),
      { mutations_sync: '0' },
    )
  })
}

interface PropertyColumn {
  readonly key: string
  readonly position: number
}

/** Adds the columns that PostgreSQL lists and ClickHouse lacks. */
export async function addColumns(tx: Tx, clickHouse: ClickHouse): Promise<void> {
  const rows = await clickHouse.read<{ name: string }>(`
    select name from system.columns where database = currentDatabase() and table = '${clickHouse.layout.events}'`)
  const names = new Set(rows.map(({ name }) => name))
  const columns = [...(await readMaterialized(tx))].map(([key, position]) => ({ key, position }))
  await add(
    clickHouse,
    columns.filter(({ position }) => !names.has(toMaterializedName(position))),
  )
}

async function add(clickHouse: ClickHouse, columns: readonly PropertyColumn[]): Promise<void> {
  const toDefinition = ({ position }: PropertyColumn) =>
    `add column if not exists ${toMaterializedName(position)} Nullable(String)`
  await alter(
    clickHouse,
    columns.map((column) => {
      const value = toPropertyText('properties', toLiteral(column.key, 'text'))
      return `${toDefinition(column)} materialized ${value}`
    }),
  )
  const { layout, run } = clickHouse
  if (layout.cluster !== undefined && columns.length > 0) {
    await run(`alter table events ${layout.onCluster} ${columns.map(toDefinition).join(', ')}`)
  }
}

/** Runs several commands at once, because each statement that changes a table takes its time. */
async function alter(
  { run, layout }: ClickHouse,
  commands: readonly string[],
  settings: Parameters<ClickHouse['run']>[1] = {},
): Promise<void> {
  if (commands.length === 0) return
  await run(`alter table ${layout.events} ${layout.onCluster} ${commands.join(', ')}`, settings)
}
