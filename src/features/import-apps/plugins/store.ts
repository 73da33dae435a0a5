import type { Insertable, Selectable, Updateable } from 'kysely'
import { startIdsAt } from '#server/db/dialect.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { MAX_VALUES_PER_STATEMENT, now } from '#server/db/values.ts'
import { FRONTEND } from './package/app-files.ts'
import type { Plugin } from './schema.ts'

/** What every reader of a plugin needs; the code alone may be larger than all the rest. */
const BRIEF = [
  ...(['id', 'name', 'version', 'description'] as const),
  ...(['config_schema', 'public_jobs', 'capabilities'] as const),
] as const

const RECORD = [
  ...BRIEF,
  ...(['plugin_type', 'url', 'tag', 'latest_tag', 'icon'] as const),
  ...(['built_in', 'created_at', 'updated_at', 'compiled_by'] as const),
] as const

export type PluginRow = Pick<Selectable<Schema['plugins']>, (typeof RECORD)[number]> & {
  readonly has_frontend: boolean
}
export type PluginFile = Omit<Selectable<Schema['plugin_files']>, 'plugin_id'>

export async function findPlugin(db: Db, id: number): Promise<Plugin | undefined> {
  return (await listPluginsById(db, [id])).get(id)
}

export async function listPluginsById(
  db: Db,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, Plugin>> {
  const wanted = [...new Set(ids)]
  const plugins = new Map<number, Plugin>()
  for (let start = 0; start < wanted.length; start += MAX_VALUES_PER_STATEMENT) {
    const some = wanted.slice(start, start + MAX_VALUES_PER_STATEMENT)
    const rows = await db.selectFrom('plugins').select(BRIEF).where('id', 'in', some).execute()
    for (const row of rows) plugins.set(row.id, toPlugin(row))
  }
  return plugins
}

const toPlugin = (row: Pick<PluginRow, (typeof BRIEF)[number]>): Plugin => ({
  id: row.id,
  name: row.name,
  version: row.version,
  description: row.description,
  config_schema: JSON.parse(row.config_schema),
  public_jobs: JSON.parse(row.public_jobs),
  capabilities: JSON.parse(row.capabilities),
})

export function getPluginCode(db: Db, id: number): Promise<{ code: string; updated_at: string }> {
  return db
    .selectFrom('plugins')
    .select(['code', 'updated_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** Answers true or 1, as the database has it. */
const selectRows = (db: Db) =>
  db
    .selectFrom('plugins')
    .select(RECORD)
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('plugin_files')
          .select('plugin_id')
          .whereRef('plugin_id', '=', 'plugins.id')
          .where('plugin_files.name', '=', FRONTEND),
      ).as('has_frontend'),
    )

const toRow = <T extends { has_frontend: unknown }>(row: T) => ({
  ...row,
  has_frontend: Boolean(row.has_frontend),
})

export async function listPluginRows(
  db: Db,
  { limit, offset }: PageRange,
): Promise<Slice<PluginRow>> {
  const rows = await selectRows(db).orderBy('id').limit(limit).offset(offset).execute()
  const { count } = await db
    .selectFrom('plugins')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { count: Number(count), results: rows.map(toRow) }
}

export async function listAllPluginRows(db: Db): Promise<PluginRow[]> {
  return (await selectRows(db).orderBy('id').execute()).map(toRow)
}

export async function findPluginRow(db: Db, id: number): Promise<PluginRow | undefined> {
  const row = await selectRows(db).where('id', '=', id).executeTakeFirst()
  return row && toRow(row)
}

export async function findPluginByUrl(db: Db, url: string): Promise<{ id: number } | undefined> {
  return db.selectFrom('plugins').select('id').where('url', '=', url).executeTakeFirst()
}

export async function listFiles(db: Db, pluginId: number): Promise<PluginFile[]> {
  return db
    .selectFrom('plugin_files')
    .select(['name', 'source', 'compiled', 'problem'])
    .where('plugin_id', '=', pluginId)
    .orderBy('name')
    .execute()
}

export async function findFile(
  db: Db,
  pluginId: number,
  name: string,
): Promise<PluginFile | undefined> {
  return db
    .selectFrom('plugin_files')
    .select(['name', 'source', 'compiled', 'problem'])
    .where('plugin_id', '=', pluginId)
    .where('name', '=', name)
    .executeTakeFirst()
}

/** The ids below are the built-in apps', of which later versions may bring more. */
const FIRST_INSTALLED_ID = 1000

export type PluginColumns = Omit<
  Insertable<Schema['plugins']>,
  'id' | 'built_in' | 'created_at' | 'updated_at'
>

export async function insertPlugin(tx: Tx, columns: PluginColumns): Promise<number> {
  await startIdsAt(tx, 'plugins', FIRST_INSTALLED_ID)
  const at = now()
  const { id } = await tx
    .insertInto('plugins')
    .values({ ...columns, built_in: 0, created_at: at, updated_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** `updated_at` always moves: processes that run the app are replaced when it does. */
export async function updatePlugin(
  tx: Tx,
  { id, updated_at }: Pick<PluginRow, 'id' | 'updated_at'>,
  columns: Updateable<Schema['plugins']>,
): Promise<void> {
  await tx
    .updateTable('plugins')
    .set({ ...columns, updated_at: after(updated_at) })
    .where('id', '=', id)
    .execute()
}

/** What was seen elsewhere changes nothing about the app that is installed. */
export async function updateLatestTag(tx: Tx, id: number, latest_tag: string): Promise<void> {
  await tx.updateTable('plugins').set({ latest_tag }).where('id', '=', id).execute()
}

function after(before: string): string {
  const at = now()
  return at > before ? at : new Date(Date.parse(before) + 1).toISOString()
}

export async function replaceFiles(
  tx: Tx,
  pluginId: number,
  files: readonly PluginFile[],
): Promise<void> {
  await tx.deleteFrom('plugin_files').where('plugin_id', '=', pluginId).execute()
  if (files.length === 0) return
  const rows = files.map((file) => ({ plugin_id: pluginId, ...file }))
  await tx.insertInto('plugin_files').values(rows).execute()
}

/** Its files go with it, and what its configs shared for a while; the configs stay. */
export async function deletePlugin(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('app_cache').where('plugin_id', '=', id).execute()
  await tx.deleteFrom('plugins').where('id', '=', id).execute()
}
