import type { Db } from '#server/db/schema.ts'
import { listUsersById } from '#server/features/accounts/users/store.ts'
import type { Alert } from './schema.ts'
import { type AlertRow, listNamedInsights } from './store.ts'
import { findSubscribers } from './subscribers.ts'

export async function toAlerts(db: Db, rows: readonly AlertRow[]): Promise<Alert[]> {
  const users = await listUsersById(
    db,
    rows.map((row) => row.created_by),
  )
  const insights = await listNamedInsights(db, rows)
  const subscribersOf = await findSubscribers(db, rows)
  return rows.map((row) => ({
    id: row.uuid,
    insight: insights.get(row.insight_id) as Alert['insight'],
    resource_name: insights.get(row.insight_id)?.name ?? '',
    name: row.name,
    enabled: row.enabled === 1,
    condition: JSON.parse(row.condition),
    threshold: JSON.parse(row.threshold),
    config: JSON.parse(row.config),
    targets: JSON.parse(row.targets),
    subscribed_users: subscribersOf(row),
    calculation_interval: row.calculation_interval,
    skip_weekend: row.skip_weekend === 1,
    snoozed_until: row.snoozed_until,
    state: row.state,
    last_checked_at: row.last_checked_at,
    last_value: row.last_value,
    last_error: row.last_error,
    created_at: row.created_at,
    created_by: users.get(row.created_by ?? 0) ?? null,
  }))
}

export async function toAlert(db: Db, row: AlertRow): Promise<Alert> {
  const [alert] = await toAlerts(db, [row])
  return alert as Alert
}
