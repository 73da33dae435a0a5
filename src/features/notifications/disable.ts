import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import { alertLog } from './alerts/log.ts'
import { toPatchedColumns } from './alerts/patch.ts'
import { listEnabledAlerts, updateAlert } from './alerts/store.ts'
import { subscriptionLog } from './subscriptions/log.ts'
import { listEnabledSubscriptions, updateSubscription } from './subscriptions/store.ts'

/** Disables the alerts and subscriptions of a dashboard in the trash, and of the insights that were trashed with it. */
export async function disableNotifications(
  tx: Tx,
  caller: Caller,
  dashboardId: number,
): Promise<void> {
  for (const before of await listEnabledAlerts(tx, caller.projectId, dashboardId)) {
    const columns = toPatchedColumns(before, { enabled: false }, undefined, undefined)
    const after = await updateAlert(tx, before, columns)
    await alertLog.logActivity(tx, caller, after, 'updated', alertLog.listChanges(before, after))
  }
  for (const before of await listEnabledSubscriptions(tx, caller.projectId, dashboardId)) {
    const after = await updateSubscription(tx, before, { enabled: 0 })
    const changes = subscriptionLog.listChanges(before, after)
    await subscriptionLog.logUpdate(tx, caller, { before, after }, changes)
  }
}
