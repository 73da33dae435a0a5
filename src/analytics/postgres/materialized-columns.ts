import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/schema.ts'
import type { Sql } from '../event-table.ts'
import { MAX_KEYS } from '../materialized-properties.ts'
import { addColumn } from './facts.ts'
import { fillColumns } from './fill-columns.ts'
import { lockAllPersons } from './locks.ts'
import { propertyText } from './property-text.ts'

/** The properties that have a column in `facts`, and its position. */
export type MaterializedColumns = ReadonlyMap<string, number>

export const toMaterializedColumn = (position: number): Sql => sql.raw(`p${position}`)

/** Reads the properties that have a column, even if the facts of earlier events are not filled yet. */
export async function readMaterialized(tx: Db): Promise<MaterializedColumns> {
  const { rows } = await sql<{ key: string; position: number }>`
    select key, position from hot_properties order by position`.execute(tx)
  return new Map(rows.map(({ key, position }) => [key, position]))
}

/** The columns of an insert into `facts`, and their values from the documents in `column`; each with a comma before. */
export const toMaterializedInsert = (
  materialized: MaterializedColumns,
  column: string,
): { names: Sql; values: Sql } => ({
  names: sql.raw([...materialized.values()].map((position) => `, p${position}`).join('')),
  values: sql.join(
    [...materialized.keys()].map((key) => sql`, ${propertyText(column, key)}`),
    sql` `,
  ),
})

/**
 * Adds columns for properties, and fills those that are empty. Events that come in meanwhile have them from the start.
 * Any number of servers may do it at once.
 */
export async function materialize(
  db: Db,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const known = await readMaterialized(db)
  if (keys.some((key) => !known.has(key))) {
    await db.transaction().execute((tx) => addColumns(tx, keys))
  }
  const { rows } = await sql<{ key: string; position: number }>`
    select key, position from hot_properties where not is_filled order by position`.execute(db)
  if (rows.length === 0) return
  const empty = new Map(rows.map(({ key, position }) => [key, position]))
  const columns = [...empty].map(([key, position]) => ({
    column: toMaterializedColumn(position),
    value: propertyText('events.properties', key),
  }))
  await fillColumns(db, columns, signal)
  await sql`
    update hot_properties set is_filled = true where position = any(${[...empty.values()]}::integer[])`.execute(
    db,
  )
}

/** Takes the lock of event writers, so that every event has either the old or the new columns. */
async function addColumns(tx: Tx, keys: readonly string[]): Promise<void> {
  // queries queue behind this transaction while it waits for its lock
  await sql`set local lock_timeout = '2s'`.execute(tx)
  await lockAllPersons(tx)
  const known = await readMaterialized(tx)
  const missing = keys.filter((key) => !known.has(key)).slice(0, MAX_KEYS - known.size)
  for (const [index, key] of missing.entries()) {
    const position = known.size + index
    await sql.raw(addColumn(position)).execute(tx)
    await sql`insert into hot_properties (position, key, is_filled) values (${position}, ${key}, false)`.execute(
      tx,
    )
  }
}
