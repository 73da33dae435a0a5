import type { Selectable } from 'kysely'
import { countRows } from '#server/db/count-rows.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { countPasskeys, deletePasskeys } from './passkeys-store.ts'

type SecondFactorRow = Selectable<Schema['second_factors']>

/** The second factor of a user, or one that is being set up. */
export function findSecondFactor(db: Db, userId: number): Promise<SecondFactorRow | undefined> {
  const factors = db.selectFrom('second_factors').selectAll()
  return factors.where('user_id', '=', userId).executeTakeFirst()
}

/** A passkey is a second factor too. */
export const hasSecondFactor = async (db: Db, userId: number): Promise<boolean> =>
  (await hasAuthenticatorApp(db, userId)) || (await countPasskeys(db, userId)) > 0

export async function hasAuthenticatorApp(db: Db, userId: number): Promise<boolean> {
  const factor = await findSecondFactor(db, userId)
  return factor !== undefined && factor.secret !== null
}

/** Lists the IDs of users. */
export async function listUsersWithSecondFactor(db: Db): Promise<ReadonlySet<number>> {
  const factors = db.selectFrom('second_factors').select('user_id')
  const rows = await factors
    .where('secret', 'is not', null)
    .union(db.selectFrom('passkeys').select('user_id'))
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}

export async function savePendingSecret(tx: Tx, userId: number, pending: string): Promise<void> {
  const row = { user_id: userId, pending_secret: pending }
  await tx
    .insertInto('second_factors')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ pending_secret: pending }))
    .execute()
}

/** Replaces the secret by the pending one. `counter`: the period of the code that proved it. */
export async function confirmPendingSecret(
  tx: Tx,
  userId: number,
  { secret, counter }: { readonly secret: string; readonly counter: number },
): Promise<void> {
  await tx
    .updateTable('second_factors')
    .set({ secret, pending_secret: null, last_counter: counter, confirmed_at: now() })
    .where('user_id', '=', userId)
    .execute()
}

/** Returns false if this code or a later one was used meanwhile, perhaps on another server. */
export async function useCounter(tx: Tx, userId: number, counter: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('second_factors')
    .set({ last_counter: counter })
    .where('user_id', '=', userId)
    .where('last_counter', '<', counter)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Recovery codes stay as long as there is a passkey. */
export async function deleteAuthenticatorApp(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('second_factors').where('user_id', '=', userId).execute()
  if ((await countPasskeys(tx, userId)) === 0) await deleteRecoveryCodes(tx, userId)
}

export async function deleteRecoveryCodes(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

/** Deletes the authenticator app, the passkeys and the recovery codes. */
export async function deleteSecondFactors(tx: Tx, userId: number): Promise<void> {
  await deletePasskeys(tx, userId)
  await deleteRecoveryCodes(tx, userId)
  await tx.deleteFrom('second_factors').where('user_id', '=', userId).execute()
}

export function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  return countRows(db.selectFrom('recovery_codes').where('user_id', '=', userId))
}

export async function replaceRecoveryCodeHashes(
  tx: Tx,
  userId: number,
  hashes: readonly string[],
): Promise<void> {
  await deleteRecoveryCodes(tx, userId)
  const rows = hashes.map((hash) => ({ user_id: userId, hash }))
  await tx.insertInto('recovery_codes').values(rows).execute()
}

/** Returns whether the code existed. Only one of two concurrent requests deletes it. */
export async function deleteRecoveryCode(tx: Tx, userId: number, hash: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
