import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#server/db/schema.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { DeliveryOutcome, NotificationSender } from './sender.ts'
import {
  claimDelivery,
  type DeliveryRow,
  findSealedSecret,
  type SettledDelivery,
  settleDelivery,
} from './store.ts'
import { toStoredTarget } from './targets.ts'

/** Seconds to wait after each failed attempt. The attempt after the last wait is the final one. */
export const RETRY_DELAYS_S = [30, 2 * 60, 10 * 60, 3600, 6 * 3600]
const MAX_ATTEMPTS = RETRY_DELAYS_S.length + 1
/** A receiver that takes its full 10 s must not delay the others. */
const CONCURRENCY = 4

export interface DelivererOptions {
  readonly db: Db
  readonly secrets: Secrets
  readonly sender: NotificationSender
  readonly origin: () => string | undefined
  readonly isStopping: () => boolean
  /** Called for our own failures, not for those of a receiver. */
  readonly report: (err: unknown, delivery: DeliveryRow) => void
}

export interface Deliverer {
  /** Claims due deliveries until none is left or all slots are taken. */
  fill(): Promise<void>
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>
}

/** Any number of deliverers may share a database. */
export function createDeliverer(options: DelivererOptions): Deliverer {
  const active = new Set<Promise<void>>()
  let taken = 0

  async function fill(): Promise<void> {
    while (!options.isStopping() && taken < CONCURRENCY) {
      taken++ // before the await, during which another call may run
      const delivery = await claimDelivery(options.db).catch((error) => {
        taken--
        throw error
      })
      if (!delivery) {
        taken--
        return
      }
      start(delivery)
    }
  }

  function start(delivery: DeliveryRow): void {
    const report = (err: unknown) => options.report(err, delivery)
    const sending: Promise<void> = deliver(options, delivery)
      .catch(report) // retried when its lease ends
      .finally(() => {
        active.delete(sending)
        taken--
        fill().catch(report)
      })
    active.add(sending)
  }

  return {
    fill,
    async idle() {
      while (taken > 0) {
        await Promise.all(active)
        await nextTurn() // a pending claim may still start one
      }
    },
  }
}

async function deliver(options: DelivererOptions, delivery: DeliveryRow): Promise<void> {
  const { db } = options
  if (delivery.attempt > MAX_ATTEMPTS) {
    const error = 'The server stopped during every attempt.'
    return settleDelivery(db, delivery, { state: 'failed', response_status: null, error })
  }
  await settleDelivery(db, delivery, toSettled(delivery, await send(options, delivery)))
}

async function send(options: DelivererOptions, delivery: DeliveryRow): Promise<DeliveryOutcome> {
  const { db, secrets, sender, origin } = options
  const sealed = await findSealedSecret(db, delivery)
  if (sealed === undefined) return { status: null, problem: 'It was deleted.' }
  return sender.send({
    id: delivery.id,
    target: toStoredTarget(delivery.target_type, delivery.target, delivery.target_format),
    notification: JSON.parse(delivery.payload),
    secret: secrets.decryptText(sealed),
    origin: origin(),
  })
}

function toSettled(
  { attempt }: DeliveryRow,
  { status, problem }: DeliveryOutcome,
): SettledDelivery {
  if (problem === undefined) return { state: 'delivered', response_status: status, error: '' }
  const retryInSeconds = RETRY_DELAYS_S[attempt - 1]
  const state = retryInSeconds === undefined ? 'failed' : 'queued'
  return { state, response_status: status, error: problem, retryInSeconds }
}
