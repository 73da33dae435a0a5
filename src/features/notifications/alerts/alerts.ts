import { toInsightTitle } from '#model/insight-title.ts'
import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { json, now, uuid } from '#server/db/values.ts'
import { mayNotBeNull, notFound, required } from '#server/errors.ts'
import { findPlugin } from '#server/features/import-apps/plugins/store.ts'
import { toUuid } from '#server/http/ids.ts'
import { queueDeliveries } from '../deliveries/deliveries.ts'
import type { Delivery } from '../deliveries/schema.ts'
import { newSigningSecret } from '../deliveries/signature.ts'
import { type NotificationDeps, toDeliverySource } from '../source.ts'
import { alertResource, type Threshold } from './fields.ts'
import { toImportNotification } from './imports/notification.ts'
import { requireImport, requireImportPatch, requireNoImportFields } from './imports/rules.ts'
import { alertLog } from './log.ts'
import { toAlertNotification } from './notification.ts'
import { toPatchedColumns } from './patch.ts'
import { toAlert, toAlerts } from './representation.ts'
import {
  requireComplete,
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
  { insight, config }: AlertQuery,
  window: PageRange,
): Promise<Slice<Alert>> {
  const { count, results } = await listAlertRows(db, projectId, { insight, config }, window)
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
  requireNoQuietHours(body)
  const targets = requireTargets(targetPolicy, body.targets ?? [])
  const snoozedUntil = toSnoozedUntil(body.snoozed_until)
  const isSnoozed = snoozedUntil !== null && snoozedUntil > now()
  return changeProject(db, projectId, async (tx) => {
    const { name, ...watched } = await toWatched(tx, projectId, body)
    const subscribers = await requireSubscribers(tx, caller, targetPolicy, body.subscribed_users)
    requireRecipient([...targets, ...subscribers])
    const signing_secret = newSigningSecret()
    const row = await insertAlert(tx, {
      ...alertResource.empty,
      name,
      ...alertResource.toColumns({ ...body, targets, subscribed_users: subscribers }),
      ...watched,
      uuid: uuid(),
      project_id: projectId,
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

/** Returns the columns of what the alert watches, and its name. */
async function toWatched(tx: Tx, projectId: number, body: AlertCreate) {
  if (body.source?.kind === 'import') {
    const config = await requireImport(tx, projectId, body)
    const name = config.name || (await findPlugin(tx, config.plugin_id))?.name || 'Import'
    return { name, insight_id: null, config_id: config.id, threshold: json(NO_BOUNDS) }
  }
  requireNoImportFields(body)
  const reference = body.source?.insight ?? body.insight
  if (reference === undefined || reference === null) throw required('insight')
  const condition = body.condition ?? { type: 'absolute_value' }
  const threshold = body.threshold ?? (condition.type === 'anomaly' ? NO_BOUNDS : undefined)
  if (threshold === undefined) throw required('threshold')
  requireThreshold(condition, threshold)
  requireComplete(condition, body.config)
  const insightId = toReferencedId(reference)
  const insight = await requireWatchable(tx, projectId, insightId, condition)
  const name = toInsightTitle(insight)
  return { name, insight_id: insight.id, config_id: null, threshold: json(threshold) }
}

/** The threshold of an alert on an import, or on anomalies. */
const NO_BOUNDS: Threshold = { configuration: { type: 'absolute', bounds: {} } }

export function patchAlert(
  { db, targetPolicy }: NotificationDeps,
  caller: Caller,
  id: string,
  sent: AlertPatch,
): Promise<Alert> {
  const body = sent.condition?.type === 'anomaly' ? { threshold: NO_BOUNDS, ...sent } : sent
  requireNoQuietHours(body)
  const targets = body.targets && requireTargets(targetPolicy, body.targets)
  return changeProject(db, caller.projectId, async (tx) => {
    const before = await getAlertRow(tx, caller, id)
    await requirePatchable(tx, before, body)
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

async function requirePatchable(tx: Tx, before: AlertRow, body: AlertPatch): Promise<void> {
  if (before.insight_id === null) {
    requireImportPatch(body, before)
    return
  }
  requireNoImportFields(body)
  if (body.insight === null) throw mayNotBeNull('insight')
  const condition = body.condition ?? JSON.parse(before.condition)
  requireThreshold(condition, body.threshold ?? JSON.parse(before.threshold))
  requireComplete(condition, body.config ?? JSON.parse(before.config))
  if (body.insight === undefined && !body.condition) return
  const insightId = toReferencedId(body.insight ?? before.insight_id)
  await requireWatchable(tx, before.project_id, insightId, condition)
}

/** Sends the last known value; the insight is not refreshed. */
export function testAlert(
  { db }: NotificationDeps,
  caller: Caller,
  id: string,
): Promise<Delivery[]> {
  return changeProject(db, caller.projectId, async (tx) => {
    const row = await getAlertRow(tx, caller, id)
    const notification =
      row.config_id === null
        ? await toAlertNotification(tx, row, 'test')
        : await toImportNotification(tx, row)
    await alertLog.logActivity(tx, caller, row, 'tested')
    const targets = await listRecipients(tx, row)
    return queueDeliveries(tx, toDeliverySource('Alert', row), targets, notification)
  })
}
