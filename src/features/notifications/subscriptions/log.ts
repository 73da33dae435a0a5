import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import type { Change } from '#server/features/activity/schema.ts'
import { changesBetween, insertActivity } from '#server/features/activity/store.ts'
import { maskTarget, toStoredTarget } from '../deliveries/targets.ts'
import type { SubscriptionRow } from './store.ts'

export const logSubscription = (
  tx: Tx,
  caller: Caller,
  { id, title }: SubscriptionRow,
  activity: string,
  changes: readonly Change[] = [],
): Promise<void> =>
  insertActivity(tx, {
    ...caller,
    scope: 'Subscription',
    itemId: id,
    activity,
    name: title,
    changes,
  })

export const subscriptionChanges = (before: SubscriptionRow, after: SubscriptionRow): Change[] =>
  changesBetween('Subscription', toLogged(before), toLogged(after))

const toLogged = (row: SubscriptionRow): Record<string, unknown> => ({
  title: row.title,
  enabled: row.enabled === 1,
  frequency: row.frequency,
  hour: row.hour,
  target_type: row.target_type,
  target_value: maskTarget(toStoredTarget(row.target_type, row.target_value)),
})
