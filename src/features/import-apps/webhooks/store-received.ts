import { createBatcher } from '#server/concurrency.ts'
import { changeInGroup } from '#server/db/change.ts'
import { isPostgres } from '#server/db/dialect.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'
import { queueRequestRun } from '../queue/request-runs.ts'
import { insertRequest, type NewRequest, type Receiver } from './store.ts'

export interface StoreDeps {
  readonly db: Db
  readonly secrets: Secrets
  readonly wakeUps: WakeUps
}

export interface ReceivedOf {
  readonly receiver: Receiver
  readonly request: NewRequest
}

const MAX_TOGETHER = 64

/**
 * Stores requests and queues their runs. On SQLite, those that arrive together need no savepoint of their own, and look
 * once for a run that is queued: three of the six statements of each.
 */
export function createReceivedStore({ db, secrets, wakeUps }: StoreDeps) {
  async function storeAll(received: readonly ReceivedOf[]): Promise<void> {
    const isDue = await changeInGroup(db, (tx) => insertAll(tx, secrets, received))
    if (isDue) wakeUps.notify()
  }

  const batcher = createBatcher<ReceivedOf, void>({
    countNext: () => MAX_TOGETHER,
    run: async (received) => {
      if (received.length === 1) return Promise.allSettled([storeAll(received)])
      try {
        await storeAll(received)
        return received.map(() => ({ status: 'fulfilled', value: undefined }))
      } catch {
        // one alone may be to blame, such as that of a config which was deleted just now
        return Promise.allSettled(received.map((one) => storeAll([one])))
      }
    },
  })

  return (received: ReceivedOf): Promise<void> =>
    isPostgres(db) ? storeAll([received]) : batcher.add(received)
}

/** Inserts requests in their order, and returns whether a run is due. */
async function insertAll(
  tx: Tx,
  secrets: Secrets,
  received: readonly ReceivedOf[],
): Promise<boolean> {
  const enabled = new Map<number, Receiver>()
  for (const { receiver, request } of received) {
    const isStored = await insertRequest(tx, secrets, receiver, request)
    if (isStored && receiver.isEnabled) enabled.set(receiver.configId, receiver)
  }
  let isDue = false
  for (const { configId: id, projectId: project_id, pluginId: plugin_id } of enabled.values()) {
    if (await queueRequestRun(tx, { id, project_id, plugin_id })) isDue = true
  }
  return isDue
}
