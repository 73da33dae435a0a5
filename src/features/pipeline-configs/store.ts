import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Schema, Tx } from '../../db/schema.ts'
import { flag } from '../../db/values.ts'
import type { Slice, Window } from '../../db/window.ts'

export type ConfigRow = Selectable<Schema['plugin_configs']>

export async function listConfigRows(
  db: Db,
  projectId: number,
  deleted: boolean,
  { limit, offset }: Window,
): Promise<Slice<ConfigRow>> {
  const results = await db
    .selectFrom('plugin_configs')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('deleted', '=', flag(deleted))
    .orderBy('position')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { count: await countConfigs(db, projectId, deleted), results }
}

async function countConfigs(db: Db, projectId: number, deleted: boolean): Promise<number> {
  const { count } = await db
    .selectFrom('projects')
    .select(deleted ? 'trashed_configs as count' : 'live_configs as count')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  return count
}

/** Those in the trash too. */
export function listAllConfigRows(db: Db, projectId: number): Promise<ConfigRow[]> {
  return db
    .selectFrom('plugin_configs')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

export function findConfigRow(
  db: Db,
  projectId: number,
  id: number,
): Promise<ConfigRow | undefined> {
  return db
    .selectFrom('plugin_configs')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** undefined: the project has none that is not in the trash. */
export async function findLastPosition(db: Db, projectId: number): Promise<number | undefined> {
  const { last } = await db
    .selectFrom('plugin_configs')
    .select((eb) => eb.fn.max('position').as('last'))
    .where('project_id', '=', projectId)
    .where('deleted', '=', 0)
    .executeTakeFirstOrThrow()
  return last ?? undefined
}

export function insertConfig(
  tx: Tx,
  config: Insertable<Schema['plugin_configs']>,
): Promise<ConfigRow> {
  return tx.insertInto('plugin_configs').values(config).returningAll().executeTakeFirstOrThrow()
}

export function updateConfig(
  tx: Tx,
  projectId: number,
  id: number,
  columns: Updateable<Schema['plugin_configs']>,
): Promise<ConfigRow> {
  return tx
    .updateTable('plugin_configs')
    .set(columns)
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteConfig(tx: Tx, projectId: number, id: number): Promise<void> {
  await tx
    .deleteFrom('plugin_configs')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute()
}

export async function addToCounts(
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
