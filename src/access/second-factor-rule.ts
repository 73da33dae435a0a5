import { now } from '../db/values.ts'
import { ApiError } from '../errors.ts'
import type { Principal } from './keys.ts'

/** Whether an organization requires second factors. */
export interface SecondFactorRule {
  /** null: it does not. */
  readonly second_factor_required_at: string | null
  readonly second_factor_grace_days: number
}

interface SignedInUser {
  readonly joinedAt: string
  readonly hasSecondFactor: boolean
  /** Signed in with an identity provider, which asks for factors of its own. */
  readonly isFromProvider: boolean
}

const DAY_MS = 86_400_000

/** Returns when a session without a second factor begins to be refused. The grace period of a new member starts later. */
export function toSecondFactorDue(rule: SecondFactorRule, user: SignedInUser): string | null {
  const required = rule.second_factor_required_at
  if (required === null || user.hasSecondFactor || user.isFromProvider) return null
  const from = required > user.joinedAt ? required : user.joinedAt
  return new Date(Date.parse(from) + rule.second_factor_grace_days * DAY_MS).toISOString()
}

export const lacksSecondFactor = ({ secondFactorDue }: Principal): boolean =>
  secondFactorDue !== null && secondFactorDue <= now()

export function requireSecondFactor(principal: Principal): void {
  if (!lacksSecondFactor(principal)) return
  throw new ApiError(
    'second_factor_required',
    'Your organization requires a second factor. Set one up on the page /second-factor, or with POST /api/users/@me/second_factor.',
  )
}
