import type { Db } from '#server/db/schema.ts'
import { listUsersById } from '#server/features/accounts/users/store.ts'
import { findResourceNames } from '../deliveries/resource-names-store.ts'
import type { Subscription } from './schema.ts'
import type { SubscriptionRow } from './store.ts'

export async function toSubscriptions(
  db: Db,
  rows: readonly SubscriptionRow[],
): Promise<Subscription[]> {
  const users = await listUsersById(
    db,
    rows.map((row) => row.created_by),
  )
  const resourceName = await findResourceNames(db, rows)
  return rows.map((row) => ({
    id: row.id,
    insight: row.insight_id,
    dashboard: row.dashboard_id,
    resource_name: resourceName(row),
    title: row.title,
    enabled: row.enabled === 1,
    frequency: row.frequency,
    hour: row.hour,
    target_type: row.target_type,
    target_value: row.target_value,
    next_delivery_date: row.next_delivery_date,
    created_at: row.created_at,
    created_by: users.get(row.created_by ?? 0) ?? null,
  }))
}

export async function toSubscription(db: Db, row: SubscriptionRow): Promise<Subscription> {
  const [subscription] = await toSubscriptions(db, [row])
  return subscription as Subscription
}
