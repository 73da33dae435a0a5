import { placeBelow } from '#model/grid.ts'
import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import { doesNotExist, invalid } from '#server/errors.ts'
import { logDashboardChanges } from '../dashboards/activity.ts'
import { getDashboardWithTiles } from '../dashboards/dashboards.ts'
import { type DashboardWithTiles, findDashboard } from '../dashboards/store.ts'
import type { InsightRow } from '../insight-rows/store.ts'
import { requireEdit } from '../rights.ts'
import { deleteInsightTiles, insertTile } from '../tiles/store.ts'

/** Adds an insight to the dashboards given and takes it off the others. Trashed dashboards keep their tiles. */
export async function setInsightDashboards(
  tx: Tx,
  caller: Caller,
  insight: InsightRow,
  { before, after }: { readonly before: readonly number[]; readonly after: readonly number[] },
): Promise<void> {
  const added = [...new Set(after)].filter((id) => !before.includes(id))
  const removed = before.filter((id) => !after.includes(id))
  if (added.length > 0 && insight.deleted) {
    throw invalid('dashboards', 'An insight in the trash cannot be put on a dashboard.')
  }
  const { projectId } = caller
  for (const dashboardId of added) {
    await editDashboard(tx, caller, dashboardId, ({ tiles }) => {
      const layouts = placeBelow(tiles.map((tile) => JSON.parse(tile.layouts)))
      return insertTile(tx, {
        projectId,
        dashboardId,
        insightId: insight.id,
        layouts,
        color: null,
      })
    })
  }
  for (const dashboardId of removed) {
    await editDashboard(tx, caller, dashboardId, () =>
      deleteInsightTiles(tx, projectId, dashboardId, insight.id),
    )
  }
}

async function editDashboard(
  tx: Tx,
  caller: Caller,
  id: number,
  edit: (before: DashboardWithTiles) => Promise<void>,
): Promise<void> {
  const row = await findDashboard(tx, caller, id)
  if (!row || row.deleted) throw doesNotExist('dashboards', id)
  requireEdit(caller, row)
  const before = await getDashboardWithTiles(tx, caller, id)
  await edit(before)
  await logDashboardChanges(tx, caller, before, await getDashboardWithTiles(tx, caller, id))
}
