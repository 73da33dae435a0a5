import { changeUncached } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { getQueryContext } from '#server/features/accounts/projects/query-context.ts'
import { toRefreshPolicy } from '#server/features/results/cache/refresh.ts'
import type { Results } from '#server/features/results/results.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'
import { queueDeliveries } from '../deliveries/deliveries.ts'
import { toStoredTarget } from '../deliveries/targets.ts'
import { toDeliverySource } from '../source.ts'
import { buildSubscriptionNotification } from './notification.ts'
import { nextDeliveryDate } from './schedule.ts'
import { claimSubscription, type SubscriptionRow, scheduleNextDelivery } from './store.ts'

export interface SendDueOptions {
  readonly db: Db
  readonly results: Results
  readonly wakeUps: WakeUps
  readonly report: (err: unknown, subscription: SubscriptionRow) => void
  readonly isStopping: () => boolean
}

/** Queues each due subscription once, even if several servers do so at the same time. */
export async function sendDueSubscriptions(options: SendDueOptions): Promise<void> {
  const { db, report, isStopping } = options
  while (!isStopping()) {
    const row = await claimSubscription(db)
    if (!row) return
    // continues with the others; a failed one is retried when its lease ends
    await sendSubscription(options, row).catch((err) => report(err, row))
  }
}

/** Sends a subscription once if it missed several deliveries while no server ran. */
async function sendSubscription(
  { db, results, wakeUps }: SendDueOptions,
  row: SubscriptionRow,
): Promise<void> {
  const { project_id, target_type, target_value } = row
  const deps = { db, results, refresh: toRefreshPolicy('blocking') }
  const notification = await buildSubscriptionNotification(deps, row, 'subscription')
  const { zone, now } = await getQueryContext(db, project_id)
  const next = nextDeliveryDate(row, zone, now)
  await changeUncached(db, async (tx) => {
    const isOurs = await scheduleNextDelivery(tx, row, next)
    if (!isOurs || !notification) return
    const target = toStoredTarget(target_type, target_value)
    await queueDeliveries(tx, toDeliverySource('Subscription', row), [target], notification)
  })
  wakeUps.notify()
}
