import type { Db } from '#server/db/schema.ts'
import { getQueryContext } from '#server/features/results/query-context.ts'
import { toRefreshPolicy } from '#server/features/results/refresh.ts'
import type { Results } from '#server/features/results/results.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'
import { queueDeliveries } from '../deliveries/deliveries.ts'
import { toTarget } from '../deliveries/targets.ts'
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

/** Queues what is due, once each, however many servers do it at the same time. */
export async function sendDueSubscriptions(options: SendDueOptions): Promise<void> {
  const { db, report, isStopping } = options
  while (!isStopping()) {
    const row = await claimSubscription(db)
    if (!row) return
    // one that fails is tried again when its lease ends, and the others do not wait for it
    await sendSubscription(options, row).catch((err) => report(err, row))
  }
}

/** What was missed while no server was up is sent once, and not for every time that it was missed. */
async function sendSubscription(
  { db, results, wakeUps }: SendDueOptions,
  row: SubscriptionRow,
): Promise<void> {
  const { project_id, id, target_type, target_value } = row
  const notice = await buildSubscriptionNotification(
    db,
    results,
    row,
    'subscription',
    toRefreshPolicy('blocking'),
  )
  const { zone, now } = await getQueryContext(db, project_id)
  const next = nextDeliveryDate(row, zone, now)
  await db.transaction().execute(async (tx) => {
    if (!(await scheduleNextDelivery(tx, row, next)) || !notice) return
    const owner = { projectId: project_id, column: 'subscription_id', id } as const
    await queueDeliveries(tx, owner, [toTarget(target_type, target_value)], notice)
  })
  wakeUps.notify()
}
