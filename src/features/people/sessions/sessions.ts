import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { notFound } from '#server/errors.ts'
import { setPassword } from '../users/account.ts'
import { hashPassword, requirePassword } from '../users/passwords.ts'
import { spendOneTimeToken } from './one-time-tokens-store.ts'
import type { PasswordReset } from './schema.ts'
import { deleteSession, deleteSessions } from './store.ts'

export async function endSession(db: Db, userId: number, id: string): Promise<void> {
  const wasThere = await changeAccess(db, (tx) => deleteSession(tx, userId, id))
  if (!wasThere) throw notFound('Session')
}

export function endAllSessions(db: Db, userId: number): Promise<void> {
  return changeAccess(db, (tx) => deleteSessions(tx, userId))
}

/** Whose password it now is. */
export async function resetPassword(db: Db, { token, password }: PasswordReset): Promise<number> {
  requirePassword('password', password)
  return changeAccess(db, async (tx) => {
    const userId = await spendOneTimeToken(tx, 'reset_password', token)
    await setPassword(tx, userId, await hashPassword(password))
    await deleteSessions(tx, userId)
    return userId
  })
}
