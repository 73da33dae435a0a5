import type { Caller } from '../../access/guard.ts'
import type { Delivery } from './schema.ts'
import type { Owner } from './store.ts'

/** Whose deliveries they are: alerts or subscriptions. */
export interface Senders {
  /** `Alert`, `Subscription`. */
  readonly noun: string
  readonly tags: string[]
  /** Throws when there is no such one. */
  ownerOf(caller: Caller, id: string): Promise<Owner>
  /** Queues a test. */
  test(caller: Caller, id: string): Promise<Delivery[]>
}
