import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import type { Change } from '#server/features/activity/schema.ts'
import { changesBetween, insertActivity } from '#server/features/activity/store.ts'
import { type DashboardWithTiles, updateLastModified } from './store.ts'

export const logDashboard = (
  tx: Tx,
  caller: Caller,
  { id, name }: { readonly id: number; readonly name: string },
  activity: string,
  changes: readonly Change[] = [],
): Promise<void> =>
  insertActivity(tx, { ...caller, scope: 'Dashboard', itemId: id, activity, name, changes })

/** Logs the changes of an edit, and sets the time of the last modification. */
export async function logDashboardChanges(
  tx: Tx,
  caller: Caller,
  before: DashboardWithTiles,
  after: DashboardWithTiles,
): Promise<void> {
  const { row } = after
  const changes = changesBetween('Dashboard', toLoggedFields(before), toLoggedFields(after))
  const isTrashedOrRestored = before.row.deleted !== row.deleted
  // a pin concerns the list, not the dashboard
  if (isTrashedOrRestored || changes.some(({ field }) => field !== 'pinned')) {
    await updateLastModified(tx, now(), row.project_id, row.id)
  }
  if (changes.length > 0) await logDashboard(tx, caller, row, 'updated', changes)
  if (isTrashedOrRestored) {
    await logDashboard(tx, caller, row, row.deleted ? 'deleted' : 'restored')
  }
}

/** The dashboard's own fields, and the editable fields of each tile. */
function toLoggedFields({ row, tiles }: DashboardWithTiles): Record<string, unknown> {
  const tileFields = tiles.map((tile) => [
    `tile ${tile.id}`,
    {
      layouts: JSON.parse(tile.layouts),
      color: tile.color,
      ...(tile.show_description !== null && { show_description: tile.show_description === 1 }),
      ...(tile.insight_id === null ? { text: tile.body } : { insight: tile.name }),
    },
  ])
  return {
    name: row.name,
    description: row.description,
    pinned: row.pinned === 1,
    filters: JSON.parse(row.filters),
    variables: JSON.parse(row.variables),
    tags: JSON.parse(row.tags),
    restriction_level: row.restriction_level,
    ...Object.fromEntries(tileFields),
  }
}
