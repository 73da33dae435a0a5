import type { Db } from '#server/db/schema.ts'
import { json } from '#server/db/values.ts'

/** The IDs of what loading demo data created. */
export interface DemoItems {
  /** In the order in which they are listed. */
  readonly dashboards: readonly number[]
  readonly annotation?: number
  readonly alert?: string
  readonly subscription?: number
  readonly cohort?: number
  readonly action?: number
}

export interface DemoRecord {
  readonly configId: number | null
  readonly items: DemoItems
  /** Set while demo events may remain. */
  readonly removedAt: string | null
}

export const NO_ITEMS: DemoItems = { dashboards: [] }

export async function findDemo(db: Db, projectId: number): Promise<DemoRecord> {
  const row = await db
    .selectFrom('projects')
    .select(['demo_config_id', 'demo_items', 'demo_removed_at'])
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  return {
    configId: row.demo_config_id,
    items: row.demo_items === null ? NO_ITEMS : JSON.parse(row.demo_items),
    removedAt: row.demo_removed_at,
  }
}

export async function updateDemo(
  db: Db,
  projectId: number,
  { configId, items, removedAt }: DemoRecord,
): Promise<void> {
  await db
    .updateTable('projects')
    .set({ demo_config_id: configId, demo_items: json(items), demo_removed_at: removedAt })
    .where('id', '=', projectId)
    .execute()
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
