import type { Db } from '#server/db/schema.ts'

export interface DemoRecord {
  readonly demo_config_id: number | null
  readonly demo_dashboard_id: number | null
  readonly demo_removed_at: string | null
}

export function findDemo(db: Db, projectId: number): Promise<DemoRecord> {
  return db
    .selectFrom('projects')
    .select(['demo_config_id', 'demo_dashboard_id', 'demo_removed_at'])
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
}

export async function updateDemo(db: Db, projectId: number, record: DemoRecord): Promise<void> {
  await db.updateTable('projects').set(record).where('id', '=', projectId).execute()
}

/** Lists projects whose demo events may still have to be deleted. */
export function listRemovedDemos(
  db: Db,
): Promise<{ readonly id: number; readonly demo_removed_at: string }[]> {
  return db
    .selectFrom('projects')
    .select(['id', 'demo_removed_at'])
    .where('demo_removed_at', 'is not', null)
    .orderBy('id')
    .$narrowType<{ demo_removed_at: string }>()
    .execute()
}

/** Ends a removal, unless demo data was removed again since then. */
export async function deleteRemovedDemo(db: Db, id: number, removedAt: string): Promise<void> {
  await db
    .updateTable('projects')
    .set({ demo_removed_at: null })
    .where('id', '=', id)
    .where('demo_removed_at', '=', removedAt)
    .execute()
}

/** Lists the configs of an app, in the trash or not. */
export async function listConfigIds(
  db: Db,
  projectId: number,
  pluginId: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('plugin_configs')
    .select('id')
    .where('project_id', '=', projectId)
    .where('plugin_id', '=', pluginId)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
