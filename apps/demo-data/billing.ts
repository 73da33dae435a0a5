import type { NewEvent } from '../shared/delivery.ts'
import { companyOf } from './companies.ts'
import { HOST } from './host.ts'
import { eventId } from './ids.ts'
import { customersUntil, habitOf, profileOf, userIdOf } from './people.ts'
import { chance, hash } from './random.ts'
import { DAY, eventsOn, firstDayOf, type World } from './world.ts'

/** Days between two invoices. */
const MONTH = 30
/** The share of customers who cancel, and the number of invoices that they pay before at most. */
const CHURN = 0.28
const LAST_INVOICE = 5
/** The share of a day's events that can be invoices, so that a small history has visits too. */
const MAX_SHARE = 0.2
/** Invoices are sent in the morning, over two hours. */
const MORNING = 6 * 3_600_000
const SPAN = 2 * 3_600_000
/** Index of these events in the IDs of events, above those of sessions. */
const INDEX = 0xffe

/** Numbers of the random draws for a customer. */
const DRAW = { churns: 24, invoices: 25, time: 26 } as const

/** Returns the invoices and cancellations of a day: one for each customer whose month began on the day before. */
export function billingOn(world: World, day: number): NewEvent[] {
  const events: NewEvent[] = []
  const max = Math.floor(eventsOn(world, day) * MAX_SHARE)
  for (const person of customersUntil(world, day)) {
    if (events.length >= max) break
    const age =
      day - firstDayOf(world, person, day) - (habitOf(world, person).buysAfter as number) - 1
    if (age < 0 || age % MONTH !== 0) continue
    const invoice = age / MONTH
    const paid = invoicesOf(world, person)
    if (invoice > paid) continue
    const uuid = eventId(world, day, person, INDEX)
    events.push(toEvent(world, { person, day, uuid, isPaid: invoice < paid }))
  }
  return events
}

/** Returns the number of invoices that a customer pays before canceling, or Infinity. */
function invoicesOf({ seed }: World, person: number): number {
  if (chance(seed, person, DRAW.churns) >= CHURN) return Number.POSITIVE_INFINITY
  return 1 + Math.floor(chance(seed, person, DRAW.invoices) * LAST_INVOICE)
}

interface Bill {
  readonly person: number
  readonly day: number
  readonly uuid: string
  readonly isPaid: boolean
}

function toEvent(world: World, { person, day, uuid, isPaid }: Bill): NewEvent {
  const { key, plan, seats, amount } = companyOf(world, person)
  const at =
    (world.firstDay + day) * DAY +
    MORNING +
    SPAN * chance(world.seed, hash(world.seed, person, day), DRAW.time)
  const $set = { ...profileOf(world, person), plan: isPaid ? plan : 'free' }
  const shared = { $host: HOST, $groups: { company: key }, plan, seats, $set }
  return {
    uuid,
    event: isPaid ? 'invoice_paid' : 'subscription_canceled',
    distinct_id: userIdOf(world, person),
    timestamp: new Date(at).toISOString(),
    properties: isPaid
      ? {
          ...shared,
          amount,
          currency: 'USD',
          invoice: `FN-${(world.firstDay + day) % 10_000}-${person}`,
        }
      : shared,
  }
}
