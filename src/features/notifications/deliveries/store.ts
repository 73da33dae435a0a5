import { type Selectable, sql } from 'kysely'
import { countRows } from '#server/db/count-rows.ts'
import { databaseTime, isPostgres } from '#server/db/dialect.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { json, now, uuid } from '#server/db/values.ts'
import type { Notification } from './notification.ts'
import type { Delivery, Target } from './schema.ts'
import { formatOf, targetAddress, toStoredTarget } from './targets.ts'

export type DeliveryRow = Selectable<Schema['deliveries']>

/** The alert or subscription that deliveries belong to. */
export interface DeliverySource {
  readonly projectId: number
  readonly column: 'alert_id' | 'subscription_id'
  readonly id: number
}

/** Longer than sending may take: the process that claimed it must have died. */
const LEASE_S = 60

export function insertDelivery(
  tx: Tx,
  { projectId, column, id }: DeliverySource,
  target: Target,
  notification: Notification,
): Promise<DeliveryRow> {
  return tx
    .insertInto('deliveries')
    .values({
      id: uuid(),
      project_id: projectId,
      alert_id: null,
      subscription_id: null,
      [column]: id,
      event: notification.event,
      target_type: target.type,
      target: targetAddress(target),
      target_format: formatOf(target),
      payload: json(notification),
      state: 'queued',
      attempt: 0,
      next_attempt_at: databaseTime(tx),
      response_status: null,
      error: '',
      created_at: now(),
      delivered_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

const selectDeliveries = (db: Db, { projectId, column, id }: DeliverySource) =>
  db.selectFrom('deliveries').where('project_id', '=', projectId).where(column, '=', id)

/** Sorted by newest first. */
export async function listDeliveries(
  db: Db,
  source: DeliverySource,
  { limit, offset }: PageRange,
): Promise<Slice<Delivery>> {
  const rows = await selectDeliveries(db, source)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const count = await countRows(selectDeliveries(db, source))
  return { count, results: rows.map(toDelivery) }
}

export const findDelivery = (
  db: Db,
  source: DeliverySource,
  id: string,
): Promise<DeliveryRow | undefined> =>
  selectDeliveries(db, source).selectAll().where('id', '=', id).executeTakeFirst()

/** Claims the delivery that has been due longest, until its lease ends. */
export function claimDelivery(db: Db): Promise<DeliveryRow | undefined> {
  const next = db
    .selectFrom('deliveries as next')
    .select('next.id')
    .where('next.state', '=', sql.lit('queued'))
    .where('next.next_attempt_at', '<=', databaseTime(db))
    .orderBy('next.next_attempt_at')
    .orderBy('next.id')
    .limit(1)
  return db
    .updateTable('deliveries')
    .set((eb) => ({
      attempt: eb('attempt', '+', 1),
      next_attempt_at: databaseTime(db, LEASE_S),
      error: '',
    }))
    .where('id', '=', isPostgres(db) ? next.forUpdate().skipLocked() : next)
    .returningAll()
    .executeTakeFirst()
}

export interface SettledDelivery {
  readonly state: DeliveryRow['state']
  readonly response_status: number | null
  readonly error: string
  /** undefined: not retried. */
  readonly retryInSeconds?: number | undefined
}

/** Compares the attempt: a process that lost its lease must not settle a later attempt. */
export async function settleDelivery(
  db: Db,
  { id, attempt }: DeliveryRow,
  { state, response_status, error, retryInSeconds }: SettledDelivery,
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({
      state,
      response_status,
      error,
      next_attempt_at: retryInSeconds === undefined ? null : databaseTime(db, retryInSeconds),
      delivered_at: state === 'delivered' ? databaseTime(db) : null,
    })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', sql.lit('queued'))
    .execute()
}

/** Makes a delivery due now, with all attempts again if it had failed. */
export function requeueDelivery(tx: Tx, { id, state, attempt }: DeliveryRow): Promise<DeliveryRow> {
  return tx
    .updateTable('deliveries')
    .set({
      state: 'queued',
      attempt: state === 'failed' ? 0 : attempt,
      next_attempt_at: databaseTime(tx),
      error: '',
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Finds the encrypted signing secret of the alert or subscription. */
export async function findSealedSecret(
  db: Db,
  { alert_id, subscription_id }: DeliveryRow,
): Promise<string | undefined> {
  const row =
    alert_id === null
      ? await db
          .selectFrom('subscriptions')
          .select('signing_secret')
          .where('id', '=', subscription_id)
          .executeTakeFirst()
      : await db
          .selectFrom('alerts')
          .select('signing_secret')
          .where('id', '=', alert_id)
          .executeTakeFirst()
  return row?.signing_secret
}

/** Deletes settled deliveries that are older than `before`. */
export async function pruneDeliveries(db: Db, before: string): Promise<void> {
  await db
    .deleteFrom('deliveries')
    .where('created_at', '<', before)
    .where('state', 'in', ['delivered', 'failed'])
    .execute()
}

export const toDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  event: row.event,
  target: toStoredTarget(row.target_type, row.target, row.target_format),
  state: row.state,
  attempt: row.attempt,
  next_attempt_at: row.next_attempt_at,
  response_status: row.response_status,
  error: row.error,
  created_at: row.created_at,
  delivered_at: row.delivered_at,
})
