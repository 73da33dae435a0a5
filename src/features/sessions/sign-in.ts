import { createThrottle, type Throttle } from '../../access/throttle.ts'
import type { Db } from '../../db/schema.ts'
import { invalid } from '../../errors.ts'
import { hashPassword, isOutdated, verifyPassword } from '../users/passwords.ts'
import { findUserByEmail, updatePasswordHash } from '../users/store.ts'
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
  byEmail: createThrottle(clock, { most: TRIES_PER_EMAIL, withinMs: QUARTER_HOUR_MS }),
  byAddress: createThrottle(clock, { most: TRIES_PER_ADDRESS, withinMs: QUARTER_HOUR_MS }),
})

/**
 * Whether a password is right, tried only so often. A try counts before it is known to be wrong, or a thousand at
 * once would all be let through.
 */
export async function tryPassword(
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

/** Who it is. An unknown e-mail and a wrong password are told alike, in words and in time. */
export async function checkSignIn(
  db: Db,
  throttle: PasswordThrottle,
  address: string,
  { email, password }: SignIn,
): Promise<number> {
  const user = await findUserByEmail(db, email.trim())
  const hashed = user?.password_hash ?? null
  const isRight = await tryPassword(throttle, address, email, () =>
    verifyPassword(password, hashed),
  )
  if (!isRight || !user || hashed === null) throw invalid(null, 'E-mail or password is wrong.')
  if (isOutdated(hashed)) await updatePasswordHash(db, user.id, await hashPassword(password))
  return user.id
}
