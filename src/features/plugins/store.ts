import type { Selectable } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { VALUES_AT_A_TIME } from '../../db/values.ts'
import type { Plugin } from './schema.ts'

export async function findPlugin(db: Db, id: number): Promise<Plugin | undefined> {
  return (await listPluginsById(db, [id])).get(id)
}

export async function listPluginsById(
  db: Db,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, Plugin>> {
  const wanted = [...new Set(ids)]
  const plugins = new Map<number, Plugin>()
  for (let start = 0; start < wanted.length; start += VALUES_AT_A_TIME) {
    const some = wanted.slice(start, start + VALUES_AT_A_TIME)
    const rows = await db.selectFrom('plugins').selectAll().where('id', 'in', some).execute()
    for (const row of rows) plugins.set(row.id, toPlugin(row))
  }
  return plugins
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
