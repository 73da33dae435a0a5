import type { Insertable, Selectable, Updateable } from 'kysely'
import { startIdsAt } from '#server/db/dialect.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { chunksOf, laterThan, MAX_VALUES_PER_STATEMENT, now } from '#server/db/values.ts'
import type { Capabilities } from '#server/runtime/contract.ts'
import { FRONTEND } from './package/app-files.ts'
import type { Receives } from './package/receives.ts'
import type { Plugin, PluginUse, PublicJobs } from './schema.ts'

/** The columns that configs and runs need. The code is left out, since it may be large. */
const SUMMARY = [
  'id',
  'name',
  'version',
  'description',
  'config_schema',
  'public_jobs',
  'capabilities',
] as const

const RECORD = [
  ...SUMMARY,
  'plugin_type',
  'url',
  'tag',
  'latest_tag',
  'icon',
  'built_in',
  'created_at',
  'updated_at',
  'compiled_by',
] as const

export type PluginRow = Pick<Selectable<Schema['plugins']>, (typeof RECORD)[number]> & {
  readonly has_frontend: boolean
}
export type PluginFile = Omit<Selectable<Schema['plugin_files']>, 'plugin_id'>

export async function findPlugin(db: Db, id: number): Promise<Plugin | undefined> {
  return (await listPluginsById(db, [id])).get(id)
}

/** Finds how an app receives requests of other services, or undefined if it does not. */
export async function findReceives(db: Db, id: number): Promise<Receives | undefined> {
  const row = await db
    .selectFrom('plugins')
    .select('receives')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.receives ? JSON.parse(row.receives) : undefined
}

export async function listPluginsById(
  db: Db,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, Plugin>> {
  const distinct = [...new Set(ids)]
  const plugins = new Map<number, Plugin>()
  for (const batch of chunksOf(distinct, MAX_VALUES_PER_STATEMENT)) {
    const rows = await db.selectFrom('plugins').select(SUMMARY).where('id', 'in', batch).execute()
    for (const row of rows) plugins.set(row.id, toPlugin(row))
  }
  return plugins
}

const toPlugin = (row: Pick<PluginRow, (typeof SUMMARY)[number]>): Plugin => ({
  id: row.id,
  name: row.name,
  version: row.version,
  description: row.description,
  config_schema: JSON.parse(row.config_schema),
  public_jobs: toExportedJobs(row).public_jobs,
  capabilities: JSON.parse(row.capabilities),
})

/** Separates the public jobs of plugin.json that the code exports from the names of those that it lacks. */
export function toExportedJobs(row: Pick<PluginRow, 'public_jobs' | 'capabilities'>): {
  readonly public_jobs: PublicJobs
  readonly missing: readonly string[]
} {
  const declared = Object.entries(JSON.parse(row.public_jobs) as PublicJobs)
  const { jobs } = JSON.parse(row.capabilities) as Partial<Capabilities>
  const isExported = ([name]: readonly [string, unknown]) => jobs?.includes(name) ?? true
  return {
    public_jobs: Object.fromEntries(declared.filter(isExported)),
    missing: declared.filter((job) => !isExported(job)).map(([name]) => name),
  }
}

export function getPluginCode(db: Db, id: number): Promise<{ code: string; updated_at: string }> {
  return db
    .selectFrom('plugins')
    .select(['code', 'updated_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** `has_frontend` is true or 1, depending on the database. */
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

const toPluginRow = <T extends { has_frontend: unknown }>(row: T) => ({
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
  return { count: Number(count), results: rows.map(toPluginRow) }
}

export async function listAllPluginRows(db: Db): Promise<PluginRow[]> {
  return (await selectRows(db).orderBy('id').execute()).map(toPluginRow)
}

export async function findPluginRow(db: Db, id: number): Promise<PluginRow | undefined> {
  const row = await selectRows(db).where('id', '=', id).executeTakeFirst()
  return row && toPluginRow(row)
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

/** Lower ids are reserved for built-in apps, also of later versions. */
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

/** Leaves out the code, which is large and follows from `compiled_by`. */
export const listBuiltInPlugins = (db: Db) =>
  db
    .selectFrom('plugins')
    .select([...SUMMARY, 'icon', 'receives', 'built_in', 'plugin_type', 'compiled_by'])
    .where('built_in', '=', 1)
    .execute()

type BuiltInPlugin = Omit<Insertable<Schema['plugins']>, 'created_at' | 'updated_at'>

export async function upsertBuiltInPlugin(tx: Tx, row: BuiltInPlugin): Promise<void> {
  const at = now()
  await tx
    .insertInto('plugins')
    .values({ ...row, created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...row, updated_at: at }))
    .execute()
}

/** Always changes `updated_at`, by which the runtime notices that it needs a new process. */
export async function updatePlugin(
  tx: Tx,
  { id, updated_at }: Pick<PluginRow, 'id' | 'updated_at'>,
  columns: Updateable<Schema['plugins']>,
): Promise<void> {
  await tx
    .updateTable('plugins')
    .set({ ...columns, updated_at: laterThan(updated_at) })
    .where('id', '=', id)
    .execute()
}

/** Does not change `updated_at`, since the installed app stays the same. */
export async function updateLatestTag(tx: Tx, id: number, latest_tag: string): Promise<void> {
  await tx.updateTable('plugins').set({ latest_tag }).where('id', '=', id).execute()
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

/** Deletes a plugin with its files and cache. Its configs stay. */
export async function deletePlugin(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('app_cache_totals').where('plugin_id', '=', id).execute()
  await tx.deleteFrom('app_cache').where('plugin_id', '=', id).execute()
  await tx.deleteFrom('plugins').where('id', '=', id).execute()
}

/** Counts the configs of a plugin outside the trash, by project. */
export async function listUsingProjects(
  db: Db,
  organizationId: string,
  pluginId: number,
): Promise<PluginUse[]> {
  const rows = await db
    .selectFrom('plugin_configs')
    .innerJoin('projects', 'projects.id', 'plugin_configs.project_id')
    .where('projects.organization_id', '=', organizationId)
    .where('plugin_configs.plugin_id', '=', pluginId)
    .where('plugin_configs.deleted', '=', 0)
    .groupBy(['projects.id', 'projects.name'])
    .orderBy('projects.id')
    .select(['projects.id', 'projects.name'])
    .select((eb) => eb.fn.countAll().as('count'))
    .execute()
  return rows.map(({ id, name, count }) => ({
    project_id: id,
    project_name: name,
    configs: Number(count),
  }))
}
