import type { Db } from '#server/db/schema.ts'
import {
  type AlertNotification,
  insightPath,
  type NamedInsight,
} from '../deliveries/notification.ts'
import type { Measured } from './state.ts'
import { type AlertRow, listNamedInsights } from './store.ts'

export async function toAlertNotification(
  db: Db,
  row: AlertRow,
  event: AlertNotification['event'],
  current?: Measured,
): Promise<AlertNotification> {
  const insight = (await listNamedInsights(db, [row])).get(row.insight_id ?? 0) as NamedInsight
  return {
    event,
    project_id: row.project_id,
    alert: { id: row.uuid, name: row.name },
    insight,
    value: current ? current.value : row.last_value,
    previous_value: current?.previous ?? null,
    condition: JSON.parse(row.condition),
    threshold: JSON.parse(row.threshold),
    usual_range: JSON.parse(row.usual_range ?? 'null'),
    checked_at: row.last_checked_at,
    path: insightPath(row.project_id, insight),
  }
}
