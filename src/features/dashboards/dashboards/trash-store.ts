import { touchDashboardsShowing } from '#server/db/dashboard-versions.ts'
import type { Db, Tx } from '#server/db/schema.ts'

/** Trashes a dashboard's insights that no other live dashboard shows, and remembers the dashboard. */
export async function trashInsights(tx: Tx, projectId: number, dashboardId: number): Promise<void> {
  const shownElsewhere = tx
    .selectFrom('tiles')
    .innerJoin('dashboards', 'dashboards.id', 'tiles.dashboard_id')
    .select('tiles.insight_id')
    .where('tiles.insight_id', 'is not', null)
    .where('tiles.project_id', '=', projectId)
    .where('tiles.dashboard_id', '!=', dashboardId)
    .where('tiles.deleted', '=', 0)
    .where('dashboards.deleted', '=', 0)
  await tx
    .updateTable('insights')
    .set({ deleted: 1, deleted_with: dashboardId })
    .where('project_id', '=', projectId)
    .where('deleted', '=', 0)
    .where('id', 'in', shownOn(tx, projectId, dashboardId))
    .where('id', 'not in', shownElsewhere)
    .execute()
  await touchDashboardsShowing(tx, projectId, 'insight_id', (eb) =>
    eb.selectFrom('insights').select('insights.id').where('deleted_with', '=', dashboardId),
  )
}

/** Restores the dashboard's insights that were trashed together with any dashboard. */
export async function restoreInsights(
  tx: Tx,
  projectId: number,
  dashboardId: number,
): Promise<void> {
  const shown = shownOn(tx, projectId, dashboardId)
  await touchDashboardsShowing(tx, projectId, 'insight_id', (eb) =>
    eb
      .selectFrom('insights')
      .select('insights.id')
      .where('deleted_with', 'is not', null)
      .where('insights.id', 'in', shown),
  )
  await tx
    .updateTable('insights')
    .set({ deleted: 0, deleted_with: null })
    .where('project_id', '=', projectId)
    .where('deleted_with', 'is not', null)
    .where('id', 'in', shown)
    .execute()
}

/** Selects the IDs of the insights that were trashed together with a dashboard. */
export const insightsTrashedWith = (db: Db, projectId: number, dashboardId: number) =>
  db
    .selectFrom('insights')
    .select('insights.id')
    .where('project_id', '=', projectId)
    .where('deleted_with', '=', dashboardId)

const shownOn = (tx: Tx, projectId: number, dashboardId: number) =>
  tx
    .selectFrom('tiles')
    .select('tiles.insight_id')
    .where('tiles.insight_id', 'is not', null)
    .where('tiles.project_id', '=', projectId)
    .where('tiles.dashboard_id', '=', dashboardId)
    .where('tiles.deleted', '=', 0)
