import type { Caller } from '#server/access/guard.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import { listUserTexts } from '#server/features/accounts/users/user-texts.ts'
import { requireEmail } from '#server/features/accounts/users/users.ts'
import { toChange } from '#server/features/activity/store.ts'
import { requireId } from '#server/http/ids.ts'
import { requireTime } from '#server/http/times.ts'
import { guestResource } from './guest-fields.ts'
import { deleteGuest, type GuestRow, insertGuest, listGuestRows } from './guest-store.ts'
import { changeLink, getLinkRow, type LinkPlace } from './links.ts'
import type { LinkGuest, LinkGuestCreate } from './schema.ts'

/** More than anyone invites by hand. A domain invites any number. */
const MAX_GUESTS = 1000

export async function listGuests(
  db: Db,
  caller: Caller,
  place: LinkPlace,
  { limit, offset }: PageRange,
): Promise<Slice<LinkGuest>> {
  const { link } = await getLinkRow(db, caller, place)
  const rows = await listGuestRows(db, link.id)
  return { count: rows.length, results: await toGuests(db, rows.slice(offset, offset + limit)) }
}

/** Invites an address or a domain. They are let in while the link is for people. */
export function addGuest(
  db: Db,
  caller: Caller,
  { body, ...place }: LinkPlace & { readonly body: LinkGuestCreate },
): Promise<LinkGuest> {
  const columns = toColumns(body)
  return changeLink(db, caller, place, async (tx, owner, link) => {
    const guests = await listGuestRows(tx, link.id)
    const { email, domain } = columns
    if (guests.some((guest) => guest.email === email && guest.domain === domain)) {
      throw invalid(email ? 'email' : 'domain', `${email ?? domain} is invited already.`)
    }
    if (guests.length >= MAX_GUESTS) {
      throw conflict(`The link has ${MAX_GUESTS} guests. Remove one, or invite a domain.`)
    }
    const guest = await insertGuest(tx, {
      ...columns,
      link_id: link.id,
      created_by: caller.userId,
      created_at: now(),
    })
    await owner.log(tx, 'public link guest added', [
      toChange(owner.noun, 'public link guest', null, guestResource.toLogged(guest)),
    ])
    return (await toGuests(tx, [guest]))[0] as LinkGuest
  })
}

/** Ends what a guest sees with their next request. */
export function removeGuest(
  db: Db,
  caller: Caller,
  { guestId, ...place }: LinkPlace & { readonly guestId: string },
): Promise<void> {
  return changeLink(db, caller, place, async (tx, owner, link) => {
    const guest = await deleteGuest(tx, link.id, requireId(guestId, 'Guest'))
    if (!guest) throw notFound('Guest')
    await owner.log(tx, 'public link guest removed', [
      toChange(owner.noun, 'public link guest', guestResource.toLogged(guest), null),
    ])
  })
}

function toColumns({ email, domain, expires_at }: LinkGuestCreate) {
  if ((email ?? null) !== null && (domain ?? null) !== null) {
    throw invalid('domain', 'Enter an address or a domain, not both.')
  }
  return {
    email: email ? requireEmail(email.trim()).toLowerCase() : null,
    domain: email ? null : requireDomain(domain ?? ''),
    expires_at: requireEnd(expires_at ?? undefined),
  }
}

const DOMAIN = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$/

function requireDomain(text: string): string {
  const domain = text.trim().replace(/^@/, '').toLowerCase()
  if (domain === '') throw invalid('email', 'Enter an e-mail address, or a `domain`.')
  if (!DOMAIN.test(domain)) throw invalid('domain', 'Enter a domain such as `example.com`.')
  return domain
}

function requireEnd(text: string | undefined): string | null {
  const end = requireTime('expires_at', text) ?? null
  if (end && end <= now()) throw invalid('expires_at', 'Enter a time in the future.')
  return end
}

async function toGuests(db: Db, rows: readonly GuestRow[]): Promise<LinkGuest[]> {
  const users = await listUserTexts(
    db,
    rows.map((row) => row.created_by),
  )
  return rows.map((row) => guestResource.toItem(row, { users }))
}
