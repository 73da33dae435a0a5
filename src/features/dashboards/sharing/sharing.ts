import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { flag, now } from '#server/db/values.ts'
import { toChange } from '#server/features/activity/store.ts'
import { logDashboard } from '../dashboards/activity.ts'
import { requireEdit } from '../dashboards/patch-dashboard.ts'
import { getDashboardRow } from '../dashboards/read-dashboard.ts'
import { type DashboardRow, updateDashboard } from '../dashboards/store.ts'
import type { Sharing, SharingPatch } from './schema.ts'
import { deleteRetiredLinks, findCurrentLink, insertLink, retireCurrentLink } from './store.ts'

export async function getSharing(db: Db, caller: Caller, dashboardId: number): Promise<Sharing> {
  const { is_shared } = await getDashboardRow(db, caller, dashboardId, 'Dashboard')
  const { token, created_at } = await findCurrentLink(db, caller.projectId, dashboardId)
  return { created_at, enabled: is_shared === 1, access_token: token }
}

/** Switching off also ends the links that were replaced: what is off is off. */
export function patchSharing(
  db: Db,
  caller: Caller,
  dashboardId: number,
  { enabled }: SharingPatch,
): Promise<Sharing> {
  return changeSharing(db, caller, dashboardId, async (tx, dashboard) => {
    if (enabled === undefined || flag(enabled) === dashboard.is_shared) return
    await updateDashboard(tx, dashboard, { is_shared: flag(enabled) })
    if (!enabled) await deleteRetiredLinks(tx, caller.projectId, dashboardId)
    await logDashboard(tx, caller, dashboard, enabled ? 'sharing enabled' : 'sharing disabled', [
      toChange('Dashboard', 'is_shared', !enabled, enabled),
    ])
  })
}

/** A link that is switched off gets no grace: it must not work again when the new one is switched on. */
export function refreshSharing(db: Db, caller: Caller, dashboardId: number): Promise<Sharing> {
  return changeSharing(db, caller, dashboardId, async (tx, dashboard) => {
    await retireCurrentLink(tx, caller.projectId, dashboardId)
    await insertLink(tx, caller.projectId, dashboardId)
    const over = dashboard.is_shared ? { before: now() } : {}
    await deleteRetiredLinks(tx, caller.projectId, dashboardId, over)
    await logDashboard(tx, caller, dashboard, 'sharing link replaced')
  })
}

function changeSharing(
  db: Db,
  caller: Caller,
  dashboardId: number,
  change: (tx: Tx, dashboard: DashboardRow) => Promise<void>,
): Promise<Sharing> {
  return changeProject(db, caller.projectId, async (tx) => {
    const dashboard = await getDashboardRow(tx, caller, dashboardId, 'Dashboard')
    requireEdit(caller, dashboard)
    await change(tx, dashboard)
    return getSharing(tx, caller, dashboardId)
  })
}
