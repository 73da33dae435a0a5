import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { conflict, doesNotExist, invalid, notFound } from '#server/errors.ts'
import { getQueryContext } from '#server/features/accounts/projects/query-context.ts'
import { findInsight } from '#server/features/dashboards/insight-rows/store.ts'
import { toRefreshPolicy } from '#server/features/results/cache/refresh.ts'
import { requireId } from '#server/http/ids.ts'
import { queueDeliveries } from '../deliveries/deliveries.ts'
import type { Delivery } from '../deliveries/schema.ts'
import { newSigningSecret } from '../deliveries/signature.ts'
import {
  requireEmailAddress,
  requireMailConfigured,
  requireUrl,
  type TargetPolicy,
  toStoredTarget,
} from '../deliveries/targets.ts'
import { type NotificationDeps, toDeliverySource } from '../source.ts'
import { subscriptionResource } from './fields.ts'
import { subscriptionLog } from './log.ts'
import { buildSubscriptionNotification } from './notification.ts'
import { toSubscription, toSubscriptions } from './representation.ts'
import { nextDeliveryDate } from './schedule.ts'
import type {
  Subscription,
  SubscriptionCreate,
  SubscriptionPatch,
  SubscriptionQuery,
  SubscriptionWithSecret,
} from './schema.ts'
import {
  findSubscribedDashboard,
  findSubscription,
  insertSubscription,
  listSubscriptionRows,
  type SubscriptionRow,
  updateSubscription,
} from './store.ts'

export async function listSubscriptions(
  db: Db,
  { projectId }: Caller,
  query: SubscriptionQuery,
  window: PageRange,
): Promise<Slice<Subscription>> {
  const { count, results } = await listSubscriptionRows(db, projectId, query, window)
  return { count, results: await toSubscriptions(db, results) }
}

export async function getSubscriptionRow(
  db: Db,
  { projectId }: Caller,
  id: string,
): Promise<SubscriptionRow> {
  const row = await findSubscription(db, projectId, requireId(id))
  if (!row) throw notFound()
  return row
}

export function createSubscription(
  { db, secrets, targetPolicy }: NotificationDeps,
  caller: Caller,
  body: SubscriptionCreate,
): Promise<SubscriptionWithSecret> {
  const { projectId, userId } = caller
  const columns = { ...subscriptionResource.empty, ...subscriptionResource.toColumns(body) }
  requireTargetValue(targetPolicy, body.target_type, body.target_value)
  return changeProject(db, projectId, async (tx) => {
    const resource = await requireResource(tx, projectId, body)
    const { zone, now: at } = await getQueryContext(tx, projectId)
    const signing_secret = newSigningSecret()
    const row = await insertSubscription(tx, {
      ...columns,
      ...resource,
      project_id: projectId,
      signing_secret: secrets.encryptText(signing_secret),
      next_delivery_date: nextDeliveryDate(columns, zone, at),
      created_by: userId,
      created_at: now(),
    })
    await subscriptionLog.logActivity(tx, caller, row, 'created')
    return { ...(await toSubscription(tx, row)), signing_secret }
  })
}

export function patchSubscription(
  { db, targetPolicy }: NotificationDeps,
  caller: Caller,
  id: string,
  body: SubscriptionPatch,
): Promise<Subscription> {
  return changeProject(db, caller.projectId, async (tx) => {
    const before = await getSubscriptionRow(tx, caller, id)
    const columns = subscriptionResource.toColumns(body)
    if (Object.keys(columns).length === 0) return toSubscription(tx, before)
    const { frequency, hour, target_type, target_value } = { ...before, ...columns }
    if (body.target_type !== undefined || body.target_value !== undefined) {
      requireTargetValue(targetPolicy, target_type, target_value)
    }
    const { zone, now: at } = await getQueryContext(tx, caller.projectId)
    const isRescheduled =
      frequency !== before.frequency ||
      hour !== before.hour ||
      (body.enabled === true && before.enabled === 0)
    const row = await updateSubscription(tx, before, {
      ...columns,
      ...(isRescheduled && {
        next_delivery_date: nextDeliveryDate({ frequency, hour }, zone, at),
      }),
    })
    if (JSON.stringify(row) !== JSON.stringify(before)) {
      const changes = subscriptionLog.listChanges(before, row)
      await subscriptionLog.logActivity(tx, caller, row, 'updated', changes)
    }
    return toSubscription(tx, row)
  })
}

/** Sends cached results; nothing is computed. */
export async function testSubscription(
  { db, results }: NotificationDeps,
  caller: Caller,
  id: string,
): Promise<Delivery[]> {
  const row = await getSubscriptionRow(db, caller, id)
  const refresh = toRefreshPolicy('force_cache')
  const notification = await buildSubscriptionNotification({ db, results, refresh }, row, 'test')
  if (!notification) throw conflict('The insight or dashboard is in the trash.')
  return changeProject(db, caller.projectId, async (tx) => {
    const current = await getSubscriptionRow(tx, caller, id)
    const target = toStoredTarget(current.target_type, current.target_value)
    await subscriptionLog.logActivity(tx, caller, current, 'tested')
    return queueDeliveries(tx, toDeliverySource('Subscription', current), [target], notification)
  })
}

function requireTargetValue(
  policy: TargetPolicy,
  type: SubscriptionRow['target_type'],
  value: string,
): void {
  if (type === 'webhook') {
    requireUrl(policy, value, 'target_value')
    return
  }
  requireMailConfigured(policy, 'target_type')
  requireEmailAddress(value, 'target_value')
}

async function requireResource(
  tx: Tx,
  projectId: number,
  { insight = null, dashboard = null }: SubscriptionCreate,
): Promise<Pick<SubscriptionRow, 'insight_id' | 'dashboard_id'>> {
  if (insight !== null && dashboard === null) {
    const row = await findInsight(tx, projectId, insight)
    if (!row || row.deleted) throw doesNotExist('insight', insight)
    return { insight_id: row.id, dashboard_id: null }
  }
  if (insight === null && dashboard !== null) {
    const row = await findSubscribedDashboard(tx, projectId, dashboard)
    if (!row) throw doesNotExist('dashboard', dashboard)
    return { insight_id: null, dashboard_id: row.id }
  }
  throw invalid('insight', 'Set either an insight or a dashboard.')
}
