import type { Db } from '#server/db/schema.ts'
import { listUserTexts } from '#server/features/accounts/users/user-texts.ts'
import { alertResource } from './fields.ts'
import { listImportNames } from './imports/store.ts'
import type { Alert } from './schema.ts'
import { type AlertRow, listNamedInsights } from './store.ts'
import { findSubscribers } from './subscribers.ts'

export async function toAlerts(db: Db, rows: readonly AlertRow[]): Promise<Alert[]> {
  const creators = rows.map((row) => row.created_by)
  const users = await listUserTexts(db, creators)
  const insights = await listNamedInsights(db, rows)
  const imports = await listImportNames(db, rows)
  const listSubscribers = await findSubscribers(db, rows)
  return rows.map((row) => {
    const insight = insights.get(row.insight_id ?? 0)
    const importName = imports.get(row.config_id ?? 0)
    const subscribers = listSubscribers(row)
    return alertResource.toItem(row, { users, insight, importName, subscribers })
  })
}

export async function toAlert(db: Db, row: AlertRow): Promise<Alert> {
  const [alert] = await toAlerts(db, [row])
  return alert as Alert
}
