import type { Db } from '#server/db/schema.ts'
import { listUserTexts } from '#server/features/accounts/users/user-texts.ts'
import { findResourceNames } from '../deliveries/resource-names-store.ts'
import { subscriptionResource } from './fields.ts'
import type { Subscription } from './schema.ts'
import type { SubscriptionRow } from './store.ts'

export async function toSubscriptions(
  db: Db,
  rows: readonly SubscriptionRow[],
): Promise<Subscription[]> {
  const creators = rows.map((row) => row.created_by)
  const users = await listUserTexts(db, creators)
  const resourceName = await findResourceNames(db, rows)
  return rows.map((row) =>
    subscriptionResource.toItem(row, { users, resourceName: resourceName(row) }),
  )
}

export async function toSubscription(db: Db, row: SubscriptionRow): Promise<Subscription> {
  const [subscription] = await toSubscriptions(db, [row])
  return subscription as Subscription
}
