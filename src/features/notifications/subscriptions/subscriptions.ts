import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { flag, now } from '#server/db/values.ts'
import type { Slice, Window } from '#server/db/window.ts'
import { conflict, doesNotExist, invalid, notFound } from '#server/errors.ts'
import { findInsight } from '#server/features/dashboards/insights/store.ts'
import { getQueryContext } from '#server/features/results/query-context.ts'
import { toRefreshPolicy } from '#server/features/results/refresh.ts'
import type { Results } from '#server/features/results/results.ts'
import { requireId } from '#server/http/ids.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { queueDeliveries } from '../deliveries/deliveries.ts'
import type { Delivery } from '../deliveries/schema.ts'
import { newSigningSecret } from '../deliveries/signature.ts'
import { type NotificationSource, toDeliverySource } from '../deliveries/sources.ts'
import {
  requireAddress,
  requireMailConfigured,
  requireUrl,
  type TargetPolicy,
  toTarget,
} from '../deliveries/targets.ts'
import { logSubscription, subscriptionChanges } from './log.ts'
import { buildSubscriptionNotification } from './notification.ts'
import { toSubscription, toSubscriptions } from './representation.ts'
import { nextDeliveryDate } from './schedule.ts'
import type {
  Subscription,
  SubscriptionCreate,
  SubscriptionPatch,
  SubscriptionWithSecret,
} from './schema.ts'
import {
  findSubscription,
  insertSubscription,
  listSubscriptionRows,
  type SubscriptionFilter,
  type SubscriptionRow,
  updateSubscription,
} from './store.ts'

const USUAL_HOUR = 9

export async function listSubscriptions(
  db: Db,
  { projectId }: Caller,
  shown: SubscriptionFilter,
  window: Window,
): Promise<Slice<Subscription>> {
  const { count, results } = await listSubscriptionRows(db, projectId, shown, window)
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

export const getSubscription = async (db: Db, caller: Caller, id: string): Promise<Subscription> =>
  toSubscription(db, await getSubscriptionRow(db, caller, id))

export function createSubscription(
  db: Db,
  secrets: Secrets,
  targetPolicy: TargetPolicy,
  caller: Caller,
  body: SubscriptionCreate,
): Promise<SubscriptionWithSecret> {
  const { projectId, userId } = caller
  const { frequency, target_type, target_value, hour = USUAL_HOUR } = body
  requireTargetValue(targetPolicy, target_type, target_value)
  return changeProject(db, projectId, async (tx) => {
    const shown = await requireShown(tx, projectId, body)
    const { zone, now: at } = await getQueryContext(tx, projectId)
    const signing_secret = newSigningSecret()
    const row = await insertSubscription(tx, {
      ...{ project_id: projectId, ...shown, title: body.title ?? '', frequency, hour },
      ...{ target_type, target_value, enabled: flag(body.enabled ?? true) },
      signing_secret: secrets.sealText(signing_secret),
      next_delivery_date: nextDeliveryDate({ frequency, hour }, zone, at),
      created_by: userId,
      created_at: now(),
    })
    await logSubscription(tx, caller, row, 'created')
    return { ...(await toSubscription(tx, row)), signing_secret }
  })
}

export function patchSubscription(
  db: Db,
  targetPolicy: TargetPolicy,
  caller: Caller,
  id: string,
  body: SubscriptionPatch,
): Promise<Subscription> {
  return changeProject(db, caller.projectId, async (tx) => {
    const before = await getSubscriptionRow(tx, caller, id)
    const { title, frequency, hour, target_type, target_value } = { ...before, ...body }
    if (body.target_type !== undefined || body.target_value !== undefined) {
      requireTargetValue(targetPolicy, target_type, target_value)
    }
    const { zone, now: at } = await getQueryContext(tx, caller.projectId)
    const isMoved =
      frequency !== before.frequency ||
      hour !== before.hour ||
      (body.enabled === true && before.enabled === 0)
    const row = await updateSubscription(tx, before, {
      ...{ title, frequency, hour, target_type, target_value, enabled: flag(body.enabled) },
      ...(isMoved && { next_delivery_date: nextDeliveryDate({ frequency, hour }, zone, at) }),
    })
    if (JSON.stringify(row) !== JSON.stringify(before)) {
      await logSubscription(tx, caller, row, 'updated', subscriptionChanges(before, row))
    }
    return toSubscription(tx, row)
  })
}

/** Sends what is known at the moment: nothing is computed for it. */
export async function testSubscription(
  db: Db,
  results: Results,
  caller: Caller,
  id: string,
): Promise<Delivery[]> {
  const row = await getSubscriptionRow(db, caller, id)
  const notice = await buildSubscriptionNotification(
    db,
    results,
    row,
    'test',
    toRefreshPolicy('force_cache'),
  )
  if (!notice) throw conflict('What it sends is in the trash.')
  return changeProject(db, caller.projectId, async (tx) => {
    const still = await getSubscriptionRow(tx, caller, id)
    const target = toTarget(still.target_type, still.target_value)
    await logSubscription(tx, caller, still, 'tested')
    return queueDeliveries(tx, toDeliverySource('Subscription', still), [target], notice)
  })
}

function requireTargetValue(
  targetPolicy: TargetPolicy,
  type: SubscriptionRow['target_type'],
  value: string,
): void {
  if (type === 'webhook') {
    requireUrl(targetPolicy, value, 'target_value')
    return
  }
  requireMailConfigured(targetPolicy, 'target_type')
  requireAddress(value, 'target_value')
}

async function requireShown(
  tx: Tx,
  projectId: number,
  { insight = null, dashboard = null }: SubscriptionCreate,
): Promise<Pick<SubscriptionRow, 'insight_id' | 'dashboard_id'>> {
  if ((insight === null) === (dashboard === null)) {
    throw invalid('insight', 'Give an insight or a dashboard, one of the two.')
  }
  if (insight !== null) {
    const row = await findInsight(tx, projectId, insight)
    if (!row || row.deleted) throw doesNotExist('insight', insight)
    return { insight_id: row.id, dashboard_id: null }
  }
  const row = await tx
    .selectFrom('dashboards')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', '=', dashboard)
    .where('deleted', '=', 0)
    .executeTakeFirst()
  if (!row) throw doesNotExist('dashboard', dashboard as number)
  return { insight_id: null, dashboard_id: row.id }
}

/** For the routes of what they send. */
export const createSubscriptionSource = (
  db: Db,
  results: Results,
): NotificationSource<SubscriptionRow> => ({
  noun: 'Subscription',
  tags: ['Subscriptions'],
  get: getSubscriptionRow,
  log: logSubscription,
  test: (caller, id) => testSubscription(db, results, caller, id),
})
