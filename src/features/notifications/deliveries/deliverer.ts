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
import { toTarget } from './targets.ts'

/** After each attempt that failed. After the last one it is given up. */
export const RETRY_DELAYS_S = [30, 2 * 60, 10 * 60, 3600, 6 * 3600]
const MAX_ATTEMPTS = RETRY_DELAYS_S.length + 1
/** A receiver that takes its 10 s must not hold up all the others. */
const AT_ONCE = 4

export interface DelivererOptions {
  readonly db: Db
  readonly secrets: Secrets
  readonly sender: NotificationSender
  readonly origin: () => string | undefined
  readonly isStopping: () => boolean
  /** What is wrong with us, and not with a receiver. */
  readonly report: (err: unknown, delivery: DeliveryRow) => void
}

export interface Deliverer {
  /** Takes up what is due. Resolves when there is no more, or no more can be sent at once. */
  fill(): Promise<void>
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>
}

/** Any number may share a database. */
export function createDeliverer(options: DelivererOptions): Deliverer {
  const active = new Set<Promise<void>>()
  let taken = 0

  async function fill(): Promise<void> {
    while (!options.isStopping() && taken < AT_ONCE) {
      taken++ // before the wait: another call may come meanwhile
      const delivery = await claimDelivery(options.db).catch((error) => {
        taken--
        throw error
      })
      if (!delivery) {
        taken--
        return
      }
      send(delivery)
    }
  }

  function send(delivery: DeliveryRow): void {
    const report = (err: unknown) => options.report(err, delivery)
    const sending: Promise<void> = deliver(options, delivery)
      .catch(report) // its lease ends, and it is tried again
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
        await nextTurn() // a claim under way may still bring one
      }
    },
  }
}

async function deliver(options: DelivererOptions, delivery: DeliveryRow): Promise<void> {
  const { db } = options
  if (delivery.attempt > MAX_ATTEMPTS) {
    const error = 'Whatever sent it died, every time.'
    return settleDelivery(db, delivery, { state: 'failed', response_status: null, error })
  }
  await settleDelivery(db, delivery, toSettled(delivery, await carry(options, delivery)))
}

/** Everything that is needed to send it, and then sends it. */
async function carry(options: DelivererOptions, delivery: DeliveryRow): Promise<DeliveryOutcome> {
  const { db, secrets, sender, origin } = options
  const sealed = await findSealedSecret(db, delivery)
  if (sealed === undefined) return { status: null, problem: 'It was deleted.' }
  return sender.send({
    id: delivery.id,
    target: toTarget(delivery.target_type, delivery.target),
    notification: JSON.parse(delivery.payload),
    secret: secrets.openText(sealed),
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
