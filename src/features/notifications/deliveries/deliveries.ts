import { changeProject } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { conflict, notFound } from '#server/errors.ts'
import { toUuid } from '#server/http/ids.ts'
import type { Notification } from './notification.ts'
import type { Delivery, Target } from './schema.ts'
import {
  type DeliverySource,
  findDelivery,
  insertDelivery,
  requeueDelivery,
  toDelivery,
} from './store.ts'

/** Takes the transaction of the change it reports, so both commit or neither does. */
export async function queueDeliveries(
  tx: Tx,
  source: DeliverySource,
  targets: readonly Target[],
  notification: Notification,
): Promise<Delivery[]> {
  const queued: Delivery[] = []
  for (const target of targets) {
    queued.push(toDelivery(await insertDelivery(tx, source, target, notification)))
  }
  return queued
}

export function retryDelivery(db: Db, source: DeliverySource, id: string): Promise<Delivery> {
  return changeProject(db, source.projectId, async (tx) => {
    const uuid = toUuid(id)
    const row = uuid && (await findDelivery(tx, source, uuid))
    if (!row) throw notFound('Delivery')
    if (row.state === 'delivered') throw conflict('It has already been delivered.')
    if (row.state === 'queued' && row.error === '') throw conflict('It is being sent right now.')
    return toDelivery(await requeueDelivery(tx, row))
  })
}
