import { toInsightTitle } from '#model/insight-title.ts'
import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { now, uuid } from '#server/db/values.ts'
import { notFound } from '#server/errors.ts'
import { toUuid } from '#server/http/ids.ts'
import { queueDeliveries } from '../deliveries/deliveries.ts'
import type { Delivery } from '../deliveries/schema.ts'
import { newSigningSecret } from '../deliveries/signature.ts'
import { type NotificationDeps, toDeliverySource } from '../source.ts'
import { alertResource } from './fields.ts'
import { alertLog } from './log.ts'
import { toAlertNotification } from './notification.ts'
import { toPatchedColumns } from './patch.ts'
import { toAlert, toAlerts } from './representation.ts'
import {
  requireNoQuietHours,
  requireRecipient,
  requireTargets,
  requireThreshold,
  requireWatchable,
  toReferencedId,
  toSnoozedUntil,
} from './rules.ts'
import type { Alert, AlertCreate, AlertPatch, AlertQuery, AlertWithSecret } from './schema.ts'
import { type AlertRow, findAlert, insertAlert, listAlertRows, updateAlert } from './store.ts'
import { listRecipients, requireSubscribers } from './subscribers.ts'

export async function listAlerts(
  db: Db,
  { projectId }: Caller,
  { insight }: AlertQuery,
  window: PageRange,
): Promise<Slice<Alert>> {
  const { count, results } = await listAlertRows(db, projectId, insight, window)
  return { count, results: await toAlerts(db, results) }
}

export async function getAlertRow(db: Db, { projectId }: Caller, id: string): Promise<AlertRow> {
  const uuid = toUuid(id)
  const row = uuid && (await findAlert(db, projectId, uuid))
  if (!row) throw notFound()
  return row
}

export function createAlert(
  { db, secrets, targetPolicy }: NotificationDeps,
  caller: Caller,
  body: AlertCreate,
): Promise<AlertWithSecret> {
  const { projectId, userId } = caller
  const condition = body.condition ?? { type: 'absolute_value' }
  requireThreshold(condition, body.threshold)
  requireNoQuietHours(body)
  const targets = requireTargets(targetPolicy, body.targets ?? [])
  const snoozedUntil = toSnoozedUntil(body.snoozed_until)
  const isSnoozed = snoozedUntil !== null && snoozedUntil > now()
  return changeProject(db, projectId, async (tx) => {
    const insightId = toReferencedId(body.insight)
    const insight = await requireWatchable(tx, projectId, insightId, condition)
    const subscribers = await requireSubscribers(tx, caller, targetPolicy, body.subscribed_users)
    requireRecipient([...targets, ...subscribers])
    const signing_secret = newSigningSecret()
    const row = await insertAlert(tx, {
      ...alertResource.empty,
      name: toInsightTitle(insight),
      ...alertResource.toColumns({ ...body, targets, subscribed_users: subscribers }),
      uuid: uuid(),
      project_id: projectId,
      insight_id: insight.id,
      signing_secret: secrets.encryptText(signing_secret),
      snoozed_until: snoozedUntil,
      state: isSnoozed ? 'Snoozed' : 'Not firing',
      is_told: 0,
      measured_at: '',
      next_check_at: snoozedUntil ?? now(),
      created_by: userId,
      created_at: now(),
    })
    await alertLog.logActivity(tx, caller, row, 'created')
    return { ...(await toAlert(tx, row)), signing_secret }
  })
}

export function patchAlert(
  { db, targetPolicy }: NotificationDeps,
  caller: Caller,
  id: string,
  body: AlertPatch,
): Promise<Alert> {
  requireNoQuietHours(body)
  const targets = body.targets && requireTargets(targetPolicy, body.targets)
  return changeProject(db, caller.projectId, async (tx) => {
    const before = await getAlertRow(tx, caller, id)
    const condition = body.condition ?? JSON.parse(before.condition)
    requireThreshold(condition, body.threshold ?? JSON.parse(before.threshold))
    if (body.insight !== undefined || body.condition) {
      const insightId = toReferencedId(body.insight ?? before.insight_id)
      await requireWatchable(tx, caller.projectId, insightId, condition)
    }
    const subscribers =
      body.subscribed_users &&
      (await requireSubscribers(tx, caller, targetPolicy, body.subscribed_users))
    const columns = toPatchedColumns(before, body, targets, subscribers)
    const { targets: to, subscribed_users: also } = { ...before, ...columns }
    requireRecipient([...JSON.parse(to), ...JSON.parse(also)])
    const isChanged = Object.entries(columns).some(
      ([name, value]) => before[name as keyof AlertRow] !== value,
    )
    if (!isChanged) return toAlert(tx, before)
    const row = await updateAlert(tx, before, columns)
    await alertLog.logActivity(tx, caller, row, 'updated', alertLog.listChanges(before, row))
    return toAlert(tx, row)
  })
}

/** Sends the last known value; the insight is not refreshed. */
export function testAlert(
  { db }: NotificationDeps,
  caller: Caller,
  id: string,
): Promise<Delivery[]> {
  return changeProject(db, caller.projectId, async (tx) => {
    const row = await getAlertRow(tx, caller, id)
    const notification = await toAlertNotification(tx, row, 'test')
    await alertLog.logActivity(tx, caller, row, 'tested')
    const targets = await listRecipients(tx, row)
    return queueDeliveries(tx, toDeliverySource('Alert', row), targets, notification)
  })
}
