import { countAttempt, createThrottle, type Throttle } from '#server/access/throttle.ts'
import type { Tx } from '#server/db/schema.ts'
import { type ApiError, invalid } from '#server/errors.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { findCounter, hashRecoveryCode, isAppCode, normalizeCode, parseSecret } from './codes.ts'
import { deleteRecoveryCode, findSecondFactor, useCounter } from './store.ts'

const HOUR_MS = 3_600_000
/** With three of a million codes right at a time, guessing takes a year to have a chance of one in four. */
export const CODES_PER_ACCOUNT = 10
const CODES_PER_NETWORK = 60

export interface CodeThrottle {
  /** By account alone: only someone who knows the password gets here, so no stranger can lock an account. */
  readonly byAccount: Throttle
  readonly byNetwork: Throttle
}

export const createCodeThrottle = (clock: () => number = Date.now): CodeThrottle => ({
  byAccount: createThrottle(clock, { maxFailures: CODES_PER_ACCOUNT, windowMs: HOUR_MS }),
  byNetwork: createThrottle(clock, { maxFailures: CODES_PER_NETWORK, windowMs: HOUR_MS }),
})

interface CodeAttempt {
  readonly userId: number
  readonly address: string
}

/** Counts `attempt` unless it succeeds. It throws if the code is wrong. */
export const countCode = <T>(
  { byAccount, byNetwork }: CodeThrottle,
  { userId, address }: CodeAttempt,
  attempt: () => Promise<T>,
): Promise<T> =>
  countAttempt(
    [
      [byNetwork, address],
      [byAccount, `user ${userId}`],
    ],
    attempt,
  )

export type CodeKind = 'app' | 'recovery'

/** Uses up a code of the user's authenticator app, or a recovery code, and returns which it was. */
export async function requireCode(
  tx: Tx,
  secrets: Secrets,
  userId: number,
  code: string,
): Promise<CodeKind> {
  const text = normalizeCode(code)
  if (isAppCode(text)) {
    if (await useAppCode(tx, secrets, userId, text)) return 'app'
  } else if (await deleteRecoveryCode(tx, userId, hashRecoveryCode(text))) return 'recovery'
  throw wrongCode()
}

async function useAppCode(
  tx: Tx,
  secrets: Secrets,
  userId: number,
  code: string,
): Promise<boolean> {
  const factor = await findSecondFactor(tx, userId)
  if (!factor || factor.secret === null) return false
  const secret = parseSecret(secrets.decryptText(factor.secret))
  const counter = findCounter(secret, code, factor.last_counter)
  return counter !== undefined && useCounter(tx, userId, counter)
}

export const wrongCode = (): ApiError =>
  invalid('code', 'The code is wrong, or it was used before. Enter the next one.')
