import { toKnownDevice } from '#server/access/device-cookie.ts'
import { toNetwork } from '#server/access/network.ts'
import {
  type Counter,
  countAttempt,
  createThrottle,
  type Throttle,
} from '#server/access/throttle.ts'
import { changeUncached } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { type ApiError, invalid } from '#server/errors.ts'
import { hashPassword, needsRehash, verifyPassword } from '../users/passwords.ts'
import { findUserByEmail, replacePasswordHash } from '../users/store.ts'
import type { SignIn } from './schema.ts'

const QUARTER_HOUR_MS = 15 * 60_000
/** A person tries a handful of passwords, but a whole office may share one network. */
export const TRIES_PER_ACCOUNT = 10
export const TRIES_PER_NETWORK = 60

export interface PasswordThrottle {
  /** By account and network together: strangers elsewhere cannot lock an account. Or by device, if it is known. */
  readonly byAccount: Throttle
  readonly byNetwork: Throttle
}

export const createPasswordThrottle = (clock: () => number = Date.now): PasswordThrottle => ({
  byAccount: createThrottle(clock, { maxFailures: TRIES_PER_ACCOUNT, windowMs: QUARTER_HOUR_MS }),
  byNetwork: createThrottle(clock, { maxFailures: TRIES_PER_NETWORK, windowMs: QUARTER_HOUR_MS }),
})

interface Attempt {
  readonly address: string
  readonly email: string
  /** Identifies a browser that has signed in to the account before: it is counted apart from its network. */
  readonly device?: string | undefined
}

/** Counts wrong passwords. */
export const checkPassword = (
  throttle: PasswordThrottle,
  attempt: Attempt,
  verify: () => Promise<boolean>,
): Promise<boolean> => countAttempt(toCounters(throttle, attempt), verify, (isRight) => isRight)

function toCounters(
  { byAccount, byNetwork }: PasswordThrottle,
  { address, email, device }: Attempt,
): readonly Counter[] {
  if (device !== undefined) return [[byAccount, `device ${device}`]]
  const account = email.trim().toLowerCase()
  return [
    [byNetwork, address],
    [byAccount, `${toNetwork(address)} ${account}`],
  ]
}

interface SignInAttempt extends SignIn {
  readonly address: string
  readonly deviceCookie: string | undefined
}

interface SignInDeps {
  readonly db: Db
  readonly throttle: PasswordThrottle
}

/**
 * Calls `proceed` if the password is right. An unknown e-mail and a wrong password get the same response in the
 * same time. Hashing is slow, so the hash is compared again: the password may have been changed in the meantime.
 */
export async function signIn<T>(
  { db, throttle }: SignInDeps,
  { address, email, password, deviceCookie }: SignInAttempt,
  proceed: (tx: Tx, userId: number) => Promise<T>,
): Promise<T> {
  const user = await findUserByEmail(db, email.trim())
  const hashed = user?.password_hash ?? null
  const device = toKnownDevice(deviceCookie, hashed)
  const isRight = await checkPassword(throttle, { address, email, device }, () =>
    verifyPassword(password, hashed),
  )
  if (!isRight || !user || hashed === null) throw wrongCredentials()
  const currentHash = needsRehash(hashed) ? await hashPassword(password) : hashed
  return changeUncached(db, async (tx) => {
    if (!(await replacePasswordHash(tx, user.id, hashed, currentHash))) throw wrongCredentials()
    return proceed(tx, user.id)
  })
}

const wrongCredentials = (): ApiError => invalid(null, 'E-mail or password is wrong.')
