import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { defineLog } from '#server/features/activity/log.ts'
import { dashboardResource } from './fields.ts'
import { type DashboardRow, type DashboardWithTiles, updateLastModified } from './store.ts'

const log = defineLog<DashboardRow, DashboardWithTiles>('Dashboard', {
  toItem: (dashboard) => dashboard,
  toLogged: ({ row, tiles }) => ({ ...dashboardResource.toLogged(row), ...toLoggedTiles(tiles) }),
})
export const logDashboard = log.logActivity

/** Logs the changes of an edit, and sets the time of the last modification. */
export async function logDashboardChanges(
  tx: Tx,
  caller: Caller,
  before: DashboardWithTiles,
  after: DashboardWithTiles,
): Promise<void> {
  const { row } = after
  const changes = log.listChanges(before, after)
  // a pin concerns the list, not the dashboard
  if (before.row.deleted !== row.deleted || changes.some(({ field }) => field !== 'pinned')) {
    await updateLastModified(tx, now(), row.project_id, row.id)
  }
  await log.logUpdate(tx, caller, { before: before.row, after: row }, changes)
}

const toLoggedTiles = (tiles: DashboardWithTiles['tiles']): Record<string, unknown> =>
  Object.fromEntries(
    tiles.map((tile) => [
      `tile ${tile.id}`,
      {
        layouts: JSON.parse(tile.layouts),
        color: tile.color,
        ...(tile.section !== null && { section: tile.section }),
        ...(tile.show_description !== null && { show_description: tile.show_description === 1 }),
        ...(tile.insight_id === null ? { text: tile.body } : { insight: tile.name }),
      },
    ]),
  )
