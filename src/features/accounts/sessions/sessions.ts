import { changeAccess } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { invalid, notFound } from '#server/errors.ts'
import { hashPassword, requirePassword } from '../users/passwords.ts'
import { updatePasswordHash } from '../users/store.ts'
import {
  consumeOneTimeToken,
  deleteOneTimeTokens,
  type OneTimeTokenKind,
} from './one-time-tokens-store.ts'
import type { PasswordReset } from './schema.ts'
import { deleteSession, deleteSessions } from './store.ts'

export async function endSession(db: Db, userId: number, id: string): Promise<void> {
  const isDeleted = await changeAccess(db, (tx) => deleteSession(tx, userId, id))
  if (!isDeleted) throw notFound('Session')
}

export function endAllSessions(db: Db, userId: number): Promise<void> {
  return changeAccess(db, (tx) => deleteSessions(tx, userId))
}

/** Sets the password with the token of a link, ends all sessions and calls `proceed` to sign in. */
export async function resetPassword<T>(
  db: Db,
  { token, password }: PasswordReset,
  proceed: (tx: Tx, userId: number) => Promise<T>,
): Promise<T> {
  requirePassword('password', password)
  return changeAccess(db, async (tx) => {
    const userId = await redeemOneTimeToken(tx, 'reset_password', token)
    await setPassword(tx, userId, await hashPassword(password))
    await deleteSessions(tx, userId)
    return proceed(tx, userId)
  })
}

/** Returns the user of the link. */
export async function redeemOneTimeToken(
  tx: Tx,
  kind: OneTimeTokenKind,
  token: string,
): Promise<number> {
  const userId = await consumeOneTimeToken(tx, kind, token)
  if (userId !== undefined) return userId
  throw invalid('token', 'This link has already been used or has expired. Ask for a new one.')
}

/** Invalidates pending links for choosing a password. */
export async function setPassword(tx: Tx, userId: number, hash: string): Promise<void> {
  await updatePasswordHash(tx, userId, hash)
  await deleteOneTimeTokens(tx, userId)
}
