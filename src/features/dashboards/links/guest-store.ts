import type { Insertable, Selectable } from 'kysely'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { inSeconds, now } from '#server/db/values.ts'

export type GuestRow = Selectable<Schema['link_guests']>

const CODE_SECONDS = 600
const MAX_TRIES = 5

export const listGuestRows = (db: Db, linkId: number): Promise<GuestRow[]> =>
  db.selectFrom('link_guests').selectAll().where('link_id', '=', linkId).orderBy('id').execute()

export const insertGuest = (tx: Tx, guest: Insertable<Schema['link_guests']>): Promise<GuestRow> =>
  tx.insertInto('link_guests').values(guest).returningAll().executeTakeFirstOrThrow()

export const deleteGuest = (tx: Tx, linkId: number, id: number): Promise<GuestRow | undefined> =>
  tx
    .deleteFrom('link_guests')
    .where('link_id', '=', linkId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** Finds the guest that an address is: invited itself rather than by its domain, and not expired. */
export const findGuest = (
  db: Db,
  linkId: number,
  address: string,
  id?: number,
): Promise<GuestRow | undefined> => {
  const guests = db
    .selectFrom('link_guests')
    .selectAll()
    .where('link_id', '=', linkId)
    .where((eb) => eb.or([eb('email', '=', address), eb('domain', '=', domainOf(address))]))
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now())]))
    .orderBy((eb) => eb.case().when('email', 'is', null).then(1).else(0).end())
  return (id === undefined ? guests : guests.where('id', '=', id)).executeTakeFirst()
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/** Replaces the code of an address, and deletes expired ones of the link. */
export async function replaceCode(
  tx: Tx,
  linkId: number,
  address: string,
  hash: string,
): Promise<void> {
  await tx
    .deleteFrom('link_codes')
    .where('link_id', '=', linkId)
    .where((eb) => eb.or([eb('address', '=', address), eb('expires_at', '<=', now())]))
    .execute()
  await tx
    .insertInto('link_codes')
    .values({ link_id: linkId, address, hash, expires_at: inSeconds(CODE_SECONDS) })
    .execute()
}

/** Counts a try and returns the hash of the code, unless it has expired or was tried too often. */
export async function takeTry(
  tx: Tx,
  linkId: number,
  address: string,
): Promise<string | undefined> {
  const row = await tx
    .updateTable('link_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('link_id', '=', linkId)
    .where('address', '=', address)
    .where('expires_at', '>', now())
    .where('tries', '<', MAX_TRIES)
    .returning('hash')
    .executeTakeFirst()
  return row?.hash
}

/** Uses up a code, and tells whether no other request did so first. */
export async function deleteCode(tx: Tx, linkId: number, hash: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('link_codes')
    .where('link_id', '=', linkId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
