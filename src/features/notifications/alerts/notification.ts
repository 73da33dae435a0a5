import type { Db } from '#server/db/schema.ts'
import {
  type AlertNotification,
  insightPath,
  type NamedInsight,
} from '../deliveries/notification.ts'
import type { AlertValue } from './state.ts'
import type { AlertRow } from './store.ts'

export async function toAlertNotification(
  db: Db,
  row: AlertRow,
  event: AlertNotification['event'],
  measured?: AlertValue,
): Promise<AlertNotification> {
  const { name, derived_name, ...ids } = await db
    .selectFrom('insights')
    .select(['id', 'short_id', 'name', 'derived_name'])
    .where('id', '=', row.insight_id)
    .executeTakeFirstOrThrow()
  const insight: NamedInsight = { ...ids, name: name || (derived_name ?? '') }
  return {
    event,
    project_id: row.project_id,
    alert: { id: row.uuid, name: row.name },
    insight,
    value: measured ? measured.value : row.last_value,
    previous_value: measured?.previous ?? null,
    condition: JSON.parse(row.condition),
    threshold: JSON.parse(row.threshold),
    checked_at: row.last_checked_at,
    path: insightPath(row.project_id, insight),
  }
}
