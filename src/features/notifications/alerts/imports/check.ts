import { isDeepStrictEqual } from 'node:util'
import { changeUncached } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { flag, json } from '#server/db/values.ts'
import { getQueryContext } from '#server/features/accounts/projects/query-context.ts'
import { findConfigRow } from '#server/features/import-apps/configs/store.ts'
import { findProblems } from '#server/features/import-apps/health/problems.ts'
import { queueDeliveries } from '#server/features/notifications/deliveries/deliveries.ts'
import { toDeliverySource } from '#server/features/notifications/source.ts'
import { alertLog } from '../log.ts'
import { endOfPause, isPaused } from '../schedule.ts'
import { type AlertRow, postponeCheck, updateAlert } from '../store.ts'
import { listRecipients } from '../subscribers.ts'
import { type ImportMessage, nextIncidents } from './incidents.ts'
import { toImportNotification } from './notification.ts'
import { lockImportAlert } from './store.ts'

/** A run that ends, and any change of the config, makes the alert due; this catches what was missed. */
const MAX_WAIT_MS = 5 * 60_000
const MIN_WAIT_MS = 1000

/** Checks an alert on an import, and returns whether deliveries were queued. */
export async function checkImportAlert(
  db: Db,
  alert: AlertRow,
  clock: () => Temporal.Instant,
): Promise<boolean> {
  const { zone } = await getQueryContext(db, alert.project_id)
  const at = clock().toZonedDateTimeISO(zone)
  return changeUncached(db, async (tx) => {
    if (isPaused(alert, at)) {
      await postponeCheck(tx, alert, endOfPause(at))
      return false
    }
    return settleCheck(tx, alert, at.epochMilliseconds)
  })
}

async function settleCheck(tx: Tx, claimed: AlertRow, time: number): Promise<boolean> {
  const row = await lockImportAlert(tx, claimed)
  const config = row?.config_id && (await findConfigRow(tx, row.project_id, row.config_id))
  if (!row || !config) return false
  const found = await findProblems(tx, config, time)
  const before = JSON.parse(row.incidents)
  const watched = JSON.parse(row.watches ?? '[]')
  const { incidents, messages } = nextIncidents(before, found, watched, row.state === 'Snoozed')
  const isOpen = Object.keys(incidents).length > 0
  const wait = found.deadline > time ? found.deadline - time : MAX_WAIT_MS
  await updateAlert(tx, row, {
    incidents: isDeepStrictEqual(before, incidents) ? row.incidents : json(incidents),
    is_told: flag(isOpen),
    state: isOpen ? 'Firing' : 'Not firing',
    snoozed_until: null,
    next_check_at: toTime(time + Math.min(Math.max(wait, MIN_WAIT_MS), MAX_WAIT_MS)),
  })
  for (const message of messages) await notify(tx, row, message)
  return messages.length > 0
}

const toTime = (time: number): string => new Date(time).toISOString()

async function notify(tx: Tx, row: AlertRow, message: ImportMessage): Promise<void> {
  const notification = await toImportNotification(tx, row, message)
  const recipients = await listRecipients(tx, row)
  await queueDeliveries(tx, toDeliverySource('Alert', row), recipients, notification)
  const system = { projectId: row.project_id, userId: null }
  const activity = message.event === 'import.recovered' ? 'resolved' : 'fired'
  await alertLog.logActivity(tx, system, row, activity)
}
