import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { flag, json, now } from '#server/db/values.ts'
import { forbidden } from '#server/errors.ts'
import { changesBetween } from '#server/features/activity/store.ts'
import { toTags } from '../tags.ts'
import { upsertTiles } from '../tiles/apply-tiles.ts'
import { logDashboard } from './activity.ts'
import { requireOneOrigin } from './create-dashboard.ts'
import { findSeenEdit, requireNoUnseenEdit } from './edit-conflicts.ts'
import { type DashboardRows, getDashboardRows } from './read-dashboard.ts'
import { canEdit, canRestrict } from './rights.ts'
import type { DashboardWrite } from './schema.ts'
import { type DashboardRow, stampDashboard, updateDashboard } from './store.ts'
import { restoreInsights, trashInsights } from './trash-insights.ts'

export function patchDashboard(
  db: Db,
  caller: Caller,
  id: number,
  body: DashboardWrite,
  seen?: number,
): Promise<DashboardRows & { readonly seen?: number }> {
  return changeProject(db, caller.projectId, async (tx) => {
    const before = await getDashboardRows(tx, caller, id)
    const { row } = before
    requireEdit(caller, row)
    requireOneOrigin(body)
    if (seen !== undefined) await requireNoUnseenEdit(tx, row, seen)
    if (body.restriction_level !== undefined) requireRestrict(caller, row)
    await updateDashboard(tx, row, toColumns(body))
    if (body.tiles) await upsertTiles(tx, caller, id, body.tiles)
    if (body.deleted === true && !row.deleted && body.delete_insights) {
      await trashInsights(tx, caller.projectId, id)
    }
    // what comes back, whole or by a single tile, brings its insights along
    const isLive = !(body.deleted ?? row.deleted === 1)
    if (isLive && (row.deleted || body.tiles)) await restoreInsights(tx, caller.projectId, id)
    const after = await getDashboardRows(tx, caller, id)
    await logDashboardChanges(tx, caller, before, after)
    if (seen === undefined) return after
    return { ...after, seen: await findSeenEdit(tx, row, seen) }
  })
}

export function requireEdit(caller: Caller, row: DashboardRow): void {
  if (canEdit(caller, row)) return
  throw forbidden("You don't have edit permissions for this dashboard.")
}

/** Also when the level stays the same: who may not set it need not send it. */
function requireRestrict(caller: Caller, row: DashboardRow): void {
  if (canRestrict(caller, row)) return
  throw forbidden(
    "Only the dashboard owner and project admins have the restriction rights required to change the dashboard's restriction level.",
  )
}

const toColumns = (body: DashboardWrite) => ({
  name: body.name,
  description: body.description,
  pinned: flag(body.pinned),
  deleted: flag(body.deleted),
  filters: body.filters && json(body.filters),
  variables: body.variables && json(body.variables),
  tags: body.tags && json(toTags(body.tags)),
  restriction_level: body.restriction_level,
})

export async function logDashboardChanges(
  tx: Tx,
  caller: Caller,
  before: DashboardRows,
  after: DashboardRows,
): Promise<void> {
  const { row } = after
  const changes = changesBetween('Dashboard', toLogged(before), toLogged(after))
  const isTrashedOrRestored = before.row.deleted !== row.deleted
  // pinning is about the list, not about the dashboard
  if (isTrashedOrRestored || changes.some(({ field }) => field !== 'pinned')) {
    await stampDashboard(tx, now(), row.project_id, row.id)
  }
  if (changes.length > 0) await logDashboard(tx, caller, row, 'updated', changes)
  if (isTrashedOrRestored) {
    await logDashboard(tx, caller, row, row.deleted ? 'deleted' : 'restored')
  }
}

/** What the log tells of a dashboard: its own fields, and each tile as far as it can be edited. */
function toLogged({ row, tiles }: DashboardRows): Record<string, unknown> {
  const logged = tiles.map(({ id, layouts, color, insight_id, name, body }) => [
    `tile ${id}`,
    {
      layouts: JSON.parse(layouts),
      color,
      ...(insight_id === null ? { text: body } : { insight: name }),
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
    ...Object.fromEntries(logged),
  }
}
