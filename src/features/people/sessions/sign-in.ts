import { createThrottle, type Throttle } from '#server/access/throttle.ts'
import { changeUncached } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { type ApiError, invalid } from '#server/errors.ts'
import { hashPassword, needsRehash, verifyPassword } from '../users/passwords.ts'
import { findUserByEmail, replacePasswordHash } from '../users/store.ts'
import type { SignIn } from './schema.ts'

const QUARTER_HOUR_MS = 15 * 60_000
/** One person tries a handful of passwords; a whole office may share one address. */
export const TRIES_PER_EMAIL = 10
export const TRIES_PER_ADDRESS = 60

export interface PasswordThrottle {
  readonly byEmail: Throttle
  readonly byAddress: Throttle
}

export const createPasswordThrottle = (clock: () => number = Date.now): PasswordThrottle => ({
  byEmail: createThrottle(clock, { maxFailures: TRIES_PER_EMAIL, windowMs: QUARTER_HOUR_MS }),
  byAddress: createThrottle(clock, { maxFailures: TRIES_PER_ADDRESS, windowMs: QUARTER_HOUR_MS }),
})

interface Attempt {
  readonly address: string
  readonly email: string
}

/** Counts an attempt before it is known to be wrong, or a thousand concurrent ones would all be allowed. */
export async function checkPassword(
  { byEmail, byAddress }: PasswordThrottle,
  { address, email }: Attempt,
  verify: () => Promise<boolean>,
): Promise<boolean> {
  const account = email.trim().toLowerCase()
  byAddress.require(address)
  byEmail.require(account)
  byAddress.countFailure(address)
  byEmail.countFailure(account)
  if (!(await verify())) return false
  byAddress.forgive(address)
  byEmail.forgive(account)
  return true
}

interface SignInDeps {
  readonly db: Db
  readonly throttle: PasswordThrottle
}

/**
 * Calls `startSession` if the password is right. An unknown e-mail and a wrong password look the same, in text and in
 * time. Hashing is slow, so the hash is compared again: the password may have been changed in the meantime.
 */
export async function signIn(
  { db, throttle }: SignInDeps,
  { address, email, password }: SignIn & Attempt,
  startSession: (tx: Tx, userId: number) => Promise<void>,
): Promise<void> {
  const user = await findUserByEmail(db, email.trim())
  const hashed = user?.password_hash ?? null
  const isRight = await checkPassword(throttle, { address, email }, () =>
    verifyPassword(password, hashed),
  )
  if (!isRight || !user || hashed === null) throw wrongCredentials()
  const currentHash = needsRehash(hashed) ? await hashPassword(password) : hashed
  await changeUncached(db, async (tx) => {
    if (!(await replacePasswordHash(tx, user.id, hashed, currentHash))) throw wrongCredentials()
    await startSession(tx, user.id)
  })
}

const wrongCredentials = (): ApiError => invalid(null, 'E-mail or password is wrong.')
