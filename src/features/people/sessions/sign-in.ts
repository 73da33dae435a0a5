import { createThrottle, type Throttle } from '#server/access/throttle.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { type ApiError, invalid } from '#server/errors.ts'
import { hashPassword, needsRehash, verifyPassword } from '../users/passwords.ts'
import { findUserByEmail, replacePasswordHash } from '../users/store.ts'
import type { SignIn } from './schema.ts'

const QUARTER_HOUR_MS = 15 * 60_000
/** A person who cannot remember tries a handful; behind one address there may be an office. */
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

/**
 * Whether a password is right, tried only so often. A try counts before it is known to be wrong, or a thousand at
 * once would all be let through.
 */
export async function checkPassword(
  { byEmail, byAddress }: PasswordThrottle,
  address: string,
  email: string,
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

/**
 * Lets somebody in, by `start`. An unknown e-mail and a wrong password are told alike, in words and in time. Hashing
 * takes a while: whoever changes the password meanwhile must not find that the old one was still good for a session.
 */
export async function signIn(
  db: Db,
  throttle: PasswordThrottle,
  address: string,
  { email, password }: SignIn,
  start: (tx: Tx, userId: number) => Promise<void>,
): Promise<void> {
  const user = await findUserByEmail(db, email.trim())
  const hashed = user?.password_hash ?? null
  const isRight = await checkPassword(throttle, address, email, () =>
    verifyPassword(password, hashed),
  )
  if (!isRight || !user || hashed === null) throw wrong()
  const better = needsRehash(hashed) ? await hashPassword(password) : hashed
  await db.transaction().execute(async (tx) => {
    if (!(await replacePasswordHash(tx, user.id, hashed, better))) throw wrong()
    await start(tx, user.id)
  })
}

const wrong = (): ApiError => invalid(null, 'E-mail or password is wrong.')
