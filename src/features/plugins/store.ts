import type { Selectable } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import type { Plugin } from './schema.ts'

export async function findPlugin(db: Db, id: number): Promise<Plugin | undefined> {
  return (await listPluginsById(db, [id])).get(id)
}

export async function listPluginsById(
  db: Db,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, Plugin>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = await db.selectFrom('plugins').selectAll().where('id', 'in', wanted).execute()
  return new Map(rows.map((row) => [row.id, toPlugin(row)]))
}

const toPlugin = (row: Selectable<Schema['plugins']>): Plugin => ({
  id: row.id,
  name: row.name,
  version: row.version,
  description: row.description,
  config_schema: JSON.parse(row.config_schema),
  public_jobs: JSON.parse(row.public_jobs),
  capabilities: JSON.parse(row.capabilities),
})
