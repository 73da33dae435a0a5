import { placeBelow } from '#model/grid.ts'
import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import { doesNotExist, invalid } from '#server/errors.ts'
import { logDashboardChanges, requireEdit } from '../dashboards/patch-dashboard.ts'
import { type DashboardRows, getDashboardRows } from '../dashboards/read-dashboard.ts'
import { findDashboard } from '../dashboards/store.ts'
import { insertTile } from '../tiles/store.ts'
import { type InsightPlacement, toDashboardIds } from './placements.ts'
import type { InsightRow } from './store.ts'

/** Puts an insight on the dashboards named and takes it off the others. Those in the trash keep what they have. */
export async function setInsightDashboards(
  tx: Tx,
  caller: Caller,
  insight: InsightRow,
  places: readonly InsightPlacement[],
  wanted: readonly number[],
): Promise<void> {
  const before = toDashboardIds(places)
  const added = [...new Set(wanted)].filter((id) => !before.includes(id))
  if (added.length > 0 && insight.deleted) {
    throw invalid('dashboards', 'An insight in the trash cannot be put on a dashboard.')
  }
  for (const id of added) {
    await changeDashboard(tx, caller, id, ({ tiles }) => addTile(tx, caller, id, insight, tiles))
  }
  for (const id of before.filter((id) => !wanted.includes(id))) {
    await changeDashboard(tx, caller, id, () => deleteTiles(tx, caller, id, insight))
  }
}

async function changeDashboard(
  tx: Tx,
  caller: Caller,
  id: number,
  change: (before: DashboardRows) => Promise<void>,
): Promise<void> {
  const row = await findDashboard(tx, caller, id)
  if (!row || row.deleted) throw doesNotExist('dashboards', id)
  requireEdit(caller, row)
  const before = await getDashboardRows(tx, caller, id)
  await change(before)
  await logDashboardChanges(tx, caller, before, await getDashboardRows(tx, caller, id))
}

const addTile = (
  tx: Tx,
  { projectId }: Caller,
  dashboardId: number,
  { id: insightId }: InsightRow,
  others: DashboardRows['tiles'],
): Promise<void> => {
  const layouts = placeBelow(others.map((tile) => JSON.parse(tile.layouts)))
  return insertTile(tx, { projectId, dashboardId, insightId, layouts, color: null })
}

async function deleteTiles(
  tx: Tx,
  { projectId }: Caller,
  dashboardId: number,
  { id: insightId }: InsightRow,
): Promise<void> {
  await tx
    .updateTable('tiles')
    .set({ deleted: 1 })
    .where('project_id', '=', projectId)
    .where('dashboard_id', '=', dashboardId)
    .where('insight_id', '=', insightId)
    .execute()
}
