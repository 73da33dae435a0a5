import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { flag, now } from '#server/db/values.ts'
import { findLinkPolicy } from '#server/features/accounts/projects/store.ts'
import { toChange } from '#server/features/activity/store.ts'
import { logDashboard } from '../dashboards/activity.ts'
import { getDashboardRow } from '../dashboards/dashboards.ts'
import { type DashboardRow, updateDashboard } from '../dashboards/store.ts'
import { deleteReplacedTokens, findFirstLink, replaceToken, updateLink } from '../link-store.ts'
import { requireAllowed } from '../links/policy.ts'
import { requireEdit } from '../rights.ts'
import type { Sharing, SharingPatch } from './schema.ts'

export async function getSharing(db: Db, caller: Caller, dashboardId: number): Promise<Sharing> {
  const { is_shared } = await getDashboardRow(db, caller, dashboardId, 'Dashboard')
  const { token, created_at } = await findFirstLink(db, caller.projectId, dashboardId)
  return { created_at, enabled: is_shared === 1, access_token: token }
}

/** Disabling also deletes replaced links that are still in their grace period. */
export function patchSharing(
  db: Db,
  caller: Caller,
  { dashboardId, body }: { readonly dashboardId: number; readonly body: SharingPatch },
): Promise<Sharing> {
  const { enabled } = body
  return changeSharing(db, caller, dashboardId, async (tx, dashboard) => {
    if (enabled === undefined || flag(enabled) === dashboard.is_shared) return
    const link = await findFirstLink(tx, caller.projectId, dashboardId)
    if (enabled) {
      requireAllowed(await findLinkPolicy(tx), { audience: link.audience })
      await updateLink(tx, link, { enabled_at: now() })
    } else {
      await deleteReplacedTokens(tx, link)
    }
    await updateDashboard(tx, dashboard, { is_shared: flag(enabled) })
    await logDashboard(tx, caller, dashboard, enabled ? 'sharing enabled' : 'sharing disabled', [
      toChange('Dashboard', 'is_shared', !enabled, enabled),
    ])
  })
}

/** Replaces the link. A disabled one gets no grace period, or it would work again once sharing is enabled. */
export function refreshSharing(db: Db, caller: Caller, dashboardId: number): Promise<Sharing> {
  return changeSharing(db, caller, dashboardId, async (tx, dashboard) => {
    const link = await findFirstLink(tx, caller.projectId, dashboardId)
    await replaceToken(tx, link)
    await deleteReplacedTokens(tx, link, dashboard.is_shared ? { before: now() } : {})
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
