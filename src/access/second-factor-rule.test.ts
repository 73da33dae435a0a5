import { describe, expect, it } from 'vitest'
import { toSecondFactorDue } from './second-factor-rule.ts'

const RULE = { second_factor_required_at: '2026-03-10T12:00:00.000Z', second_factor_grace_days: 7 }
const USER = { joinedAt: '2026-01-01T00:00:00.000Z', hasSecondFactor: false, isFromProvider: false }

describe('a rule that requires a second factor', () => {
  it.each([
    ['after the grace period', RULE, USER, '2026-03-17T12:00:00.000Z'],
    [
      'at once without a grace period',
      { ...RULE, second_factor_grace_days: 0 },
      USER,
      RULE.second_factor_required_at,
    ],
    [
      'later for those who join later',
      RULE,
      { ...USER, joinedAt: '2026-04-01T00:00:00.000Z' },
      '2026-04-08T00:00:00.000Z',
    ],
    ['never for users with one', RULE, { ...USER, hasSecondFactor: true }, null],
    ['never for sessions of a provider', RULE, { ...USER, isFromProvider: true }, null],
    ['never without the rule', { ...RULE, second_factor_required_at: null }, USER, null],
  ])('refuses sessions %s', (_, rule, user, due) => {
    expect(toSecondFactorDue(rule, user)).toBe(due)
  })
})
