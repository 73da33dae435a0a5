import type { Selectable } from 'kysely'
import { hashToken } from '#server/access/sessions.ts'
import { countRows } from '#server/db/count-rows.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { inSeconds, now } from '#server/db/values.ts'

export type PasskeyRow = Selectable<Schema['passkeys']>

export const listPasskeyRows = (db: Db, userId: number): Promise<PasskeyRow[]> =>
  selectOf(db, userId).selectAll().orderBy('created_at').orderBy('id').execute()

export const countPasskeys = (db: Db, userId: number): Promise<number> =>
  countRows(selectOf(db, userId))

const selectOf = (db: Db, userId: number) => db.selectFrom('passkeys').where('user_id', '=', userId)

/** Finds the passkey that a device names, if its user is still there. */
export async function findPasskey(db: Db, credentialId: string) {
  return db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .selectAll('passkeys')
    .select('users.uuid as user_uuid')
    .where('credential_id', '=', credentialId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
}

export async function insertPasskey(tx: Tx, row: PasskeyRow): Promise<void> {
  await tx.insertInto('passkeys').values(row).execute()
}

/** Returns false if the passkey was deleted, or a copy of it was used, meanwhile. Most devices always count 0. */
export async function recordPasskeyUse(tx: Tx, id: string, counter: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ counter, last_used_at: now() })
    .where('id', '=', id)
    .where((eb) => (counter === 0 ? eb('counter', '=', 0) : eb('counter', '<', counter)))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns whether the passkey existed. */
export async function deletePasskey(tx: Tx, userId: number, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deletePasskeys(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  await tx.deleteFrom('passkey_challenges').where('user_id', '=', userId).execute()
}

const CHALLENGE_SECONDS = 300

/** Stores the hash of a challenge. `userId`: who registers a passkey; undefined for a sign-in. */
export async function insertChallenge(
  db: Db,
  challenge: string,
  userId: number | undefined,
): Promise<void> {
  await db.deleteFrom('passkey_challenges').where('expires_at', '<=', now()).execute()
  const row = { hash: hashToken(challenge), user_id: userId ?? null }
  const expires_at = inSeconds(CHALLENGE_SECONDS)
  await db
    .insertInto('passkey_challenges')
    .values({ ...row, expires_at })
    .execute()
}

/** Uses up a challenge. Of several requests with the same one, at most one gets true. */
export async function consumeChallenge(
  db: Db,
  challenge: string,
  userId: number | undefined,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkey_challenges')
    .where('hash', '=', hashToken(challenge))
    .where('user_id', userId === undefined ? 'is' : '=', userId ?? null)
    .where('expires_at', '>', now())
    .executeTakeFirst()
  return numDeletedRows > 0n
}
