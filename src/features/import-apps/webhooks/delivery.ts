import { createHash, randomUUID } from 'node:crypto'
import type { VerifyKind } from '../plugins/package/receives.ts'

/** The headers in which senders number their deliveries. A sender that tries again repeats the number. */
const ID_HEADERS: Readonly<Partial<Record<VerifyKind, string>>> = {
  github: 'x-github-delivery',
  shopify: 'x-shopify-webhook-id',
  'standard-webhooks': 'webhook-id',
}

/** The fields of the body that do the same. They are near its beginning, so nothing has to be parsed. */
const ID_FIELDS: Readonly<Partial<Record<VerifyKind, RegExp>>> = {
  stripe: /"id":\s*"(evt_[A-Za-z0-9_]{1,200})"/,
  slack: /"event_id":\s*"([A-Za-z0-9]{1,200})"/,
}

/** Returns the sender's ID of a delivery, or a new one if it sends none. */
export function toDeliveryId(
  kind: VerifyKind,
  idHeader: string | undefined,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): string {
  const header = idHeader ?? ID_HEADERS[kind]
  const given = (header && headers[header.toLowerCase()]) || ID_FIELDS[kind]?.exec(body)?.[1]
  return given ? `sent ${toShort(given)}` : `new ${randomUUID()}`
}

/** Keeps the key of an index short, however long an ID is. */
const toShort = (id: string): string =>
  id.length <= 200 ? id : createHash('sha256').update(id).digest('hex')

/** Returns the first 24 digits of the UUIDs of a delivery's events. */
export const toEventIds = (configId: number, delivery: string): string =>
  createHash('sha256').update(`${configId} ${delivery}`).digest('hex').slice(0, 24)
