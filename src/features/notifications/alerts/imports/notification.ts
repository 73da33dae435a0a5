import type { Db } from '#server/db/schema.ts'
import {
  type ImportNotification,
  importPath,
} from '#server/features/notifications/deliveries/notification.ts'
import type { AlertRow } from '../store.ts'
import type { ImportMessage } from './incidents.ts'
import { findImportName } from './store.ts'

/** Builds the notification of an incident, or a test. */
export async function toImportNotification(
  db: Db,
  row: AlertRow,
  message?: ImportMessage,
): Promise<ImportNotification> {
  const config = row.config_id as number
  return {
    event: message?.event ?? 'test',
    project_id: row.project_id,
    alert: { id: row.uuid, name: row.name },
    import: { config, name: await findImportName(db, row) },
    message: message?.message ?? '',
    since: message?.since ?? null,
    path: importPath(row.project_id, config),
  }
}
