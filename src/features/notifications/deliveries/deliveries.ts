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

/** Takes the transaction that changes what is told: what is told happened, and what happened is told. */
export async function queueDeliveries(
  tx: Tx,
  owner: DeliverySource,
  targets: readonly Target[],
  notice: Notification,
): Promise<Delivery[]> {
  const queued: Delivery[] = []
  for (const target of targets) {
    queued.push(toDelivery(await insertDelivery(tx, owner, target, notice)))
  }
  return queued
}

export function retryDelivery(db: Db, owner: DeliverySource, id: string): Promise<Delivery> {
  return changeProject(db, owner.projectId, async (tx) => {
    const wanted = toUuid(id)
    const row = wanted && (await findDelivery(tx, owner, wanted))
    if (!row) throw notFound('Delivery')
    if (row.state === 'delivered') throw conflict('It has been delivered.')
    if (row.state === 'queued' && row.error === '') throw conflict('It is being sent just now.')
    return toDelivery(await requeueDelivery(tx, row))
  })
}
