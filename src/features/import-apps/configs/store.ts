import type { Insertable, Selectable } from 'kysely'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { flag } from '#server/db/values.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { Settings } from '../setting-rules.ts'

export interface ConfigDeps {
  readonly db: Db
  readonly secrets: Secrets
}

type StoredConfig = Selectable<Schema['plugin_configs']>

/** A config without its settings, which are encrypted in the database. */
export type ConfigRow = Omit<StoredConfig, 'settings'>

export type ConfigWithSettings = ConfigRow & { readonly settings: Settings }

type WithSettings<Columns> = Omit<Columns, 'settings'> & { readonly settings: Settings }

const toConfigWithSettings = (secrets: Secrets, row: StoredConfig): ConfigWithSettings => ({
  ...row,
  settings: JSON.parse(secrets.decryptText(row.settings)),
})

const encrypt = (secrets: Secrets, settings: Settings): string =>
  secrets.encryptText(JSON.stringify(settings))

export async function listConfigsWithSettings(
  { db, secrets }: ConfigDeps,
  { projectId, deleted }: { readonly projectId: number; readonly deleted: boolean },
  { limit, offset }: PageRange,
): Promise<Slice<ConfigWithSettings>> {
  const rows = await db
    .selectFrom('plugin_configs')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('deleted', '=', flag(deleted))
    .orderBy('position')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  const count = await countConfigs(db, projectId, deleted)
  return { count, results: rows.map((row) => toConfigWithSettings(secrets, row)) }
}

async function countConfigs(db: Db, projectId: number, deleted: boolean): Promise<number> {
  const { count } = await db
    .selectFrom('projects')
    .select(deleted ? 'trashed_configs as count' : 'live_configs as count')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  return count
}

/** Includes the configs in the trash. */
export async function listAllConfigsWithSettings(
  db: Db,
  secrets: Secrets,
  projectId: number,
): Promise<ConfigWithSettings[]> {
  const rows = await db
    .selectFrom('plugin_configs')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map((row) => toConfigWithSettings(secrets, row))
}

export async function findConfigWithSettings(
  db: Db,
  secrets: Secrets,
  projectId: number,
  id: number,
): Promise<ConfigWithSettings | undefined> {
  const row = await findStoredConfig(db, projectId, id)
  return row && toConfigWithSettings(secrets, row)
}

export const findConfigRow: (
  db: Db,
  projectId: number,
  id: number,
) => Promise<ConfigRow | undefined> = findStoredConfig

function findStoredConfig(
  db: Db,
  projectId: number,
  id: number,
): Promise<StoredConfig | undefined> {
  return db
    .selectFrom('plugin_configs')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns undefined if all configs of the project are in the trash. */
export async function findLastPosition(db: Db, projectId: number): Promise<number | undefined> {
  const { last } = await db
    .selectFrom('plugin_configs')
    .select((eb) => eb.fn.max('position').as('last'))
    .where('project_id', '=', projectId)
    .where('deleted', '=', 0)
    .executeTakeFirstOrThrow()
  return last ?? undefined
}

export async function insertConfig(
  tx: Tx,
  secrets: Secrets,
  config: WithSettings<Insertable<Schema['plugin_configs']>>,
): Promise<ConfigWithSettings> {
  const row = await tx
    .insertInto('plugin_configs')
    .values({ ...config, settings: encrypt(secrets, config.settings) })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toConfigWithSettings(secrets, row)
}

export async function updateConfig(
  { db: tx, secrets }: ConfigDeps & { readonly db: Tx },
  { id, project_id }: ConfigRow,
  { settings, ...columns }: Partial<WithSettings<Insertable<Schema['plugin_configs']>>>,
): Promise<ConfigWithSettings> {
  const row = await tx
    .updateTable('plugin_configs')
    .set({ ...columns, ...(settings && { settings: encrypt(secrets, settings) }) })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toConfigWithSettings(secrets, row)
}

/** Updates columns of a config without reading its settings. */
export const updateConfigRow = (
  tx: Tx,
  { id, project_id }: ConfigRow,
  columns: Partial<Omit<Insertable<Schema['plugin_configs']>, 'settings'>>,
): Promise<ConfigRow> =>
  tx
    .updateTable('plugin_configs')
    .set(columns)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export async function deleteConfig(tx: Tx, projectId: number, id: number): Promise<void> {
  await tx
    .deleteFrom('plugin_configs')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute()
}

export async function updateConfigCounts(
  tx: Tx,
  projectId: number,
  { live = 0, trashed = 0 }: { live?: number; trashed?: number },
): Promise<void> {
  await tx
    .updateTable('projects')
    .set((eb) => ({
      live_configs: eb('live_configs', '+', live),
      trashed_configs: eb('trashed_configs', '+', trashed),
    }))
    .where('id', '=', projectId)
    .execute()
}
