import { describe, expect, it } from 'vitest'
import type { Condition, Threshold } from './fields.ts'
import { isBreached, nextState } from './state.ts'

const type = (of: Condition['type']): Condition => ({ type: of })

const bounds = (
  lower: number | null,
  upper: number | null,
  unit: 'absolute' | 'percentage' = 'absolute',
): Threshold => ({ configuration: { type: unit, bounds: { lower, upper } } })

describe('a threshold', () => {
  it.each([
    ['absolute_value', bounds(null, 5), 5, 0, false],
    ['absolute_value', bounds(null, 5), 5.1, 0, true],
    ['absolute_value', bounds(3, null), 3, 0, false],
    ['absolute_value', bounds(3, null), 2.9, 0, true],
    ['absolute_value', bounds(3, 5), 4, 0, false],
    ['absolute_value', bounds(0, null), 0, 0, false],
    ['relative_increase', bounds(null, 5), 15, 10, false],
    ['relative_increase', bounds(null, 5), 16, 10, true],
    ['relative_increase', bounds(null, 5), 1, 10, false],
    ['relative_increase', bounds(2, null), 11, 10, true],
    ['relative_decrease', bounds(null, 5), 4, 10, true],
    ['relative_decrease', bounds(null, 5), 5, 10, false],
    ['relative_increase', bounds(null, 0.2, 'percentage'), 12, 10, false],
    ['relative_increase', bounds(null, 0.2, 'percentage'), 12.1, 10, true],
    ['relative_decrease', bounds(null, 0.2, 'percentage'), 7.9, 10, true],
    ['relative_increase', bounds(null, 0.2, 'percentage'), -7, -10, true],
    ['relative_increase', bounds(null, 0.2, 'percentage'), 1, 0, true],
    ['relative_increase', bounds(null, 0.2, 'percentage'), 0, 0, false],
    ['relative_decrease', bounds(null, 0.2, 'percentage'), 1, 0, false],
  ] as const)(
    '%s %j for %d after %d is breached: %s',
    (condition, threshold, value, previous, breached) => {
      const measured = { value, previous, usual: null }
      expect(isBreached(type(condition), threshold, measured)).toBe(breached)
    },
  )
})

describe('the state of an alert', () => {
  const error = { problem: 'No.' }

  it.each([
    ['Not firing', 0, true, 'Firing', 1, 'alert.firing'],
    ['Not firing', 0, false, 'Not firing', 0, undefined],
    ['Not firing', 0, error, 'Errored', 0, undefined],
    ['Firing', 1, true, 'Firing', 1, undefined],
    ['Firing', 1, false, 'Not firing', 0, 'alert.resolved'],
    ['Firing', 1, error, 'Errored', 1, undefined],
    ['Errored', 1, true, 'Firing', 1, undefined],
    ['Errored', 1, false, 'Not firing', 0, 'alert.resolved'],
    ['Errored', 0, true, 'Firing', 1, 'alert.firing'],
    ['Errored', 0, false, 'Not firing', 0, undefined],
    ['Snoozed', 1, true, 'Firing', 1, 'alert.firing'],
    ['Snoozed', 1, false, 'Not firing', 0, 'alert.resolved'],
    ['Snoozed', 0, true, 'Firing', 1, 'alert.firing'],
    ['Snoozed', 0, false, 'Not firing', 0, undefined],
  ] as const)(
    '%s (notified %i), breached %j: becomes %s (notified %i), sends %s',
    (state, notified, breached, ...next) => {
      const { state: after, is_told, event } = nextState({ state, is_told: notified }, breached)

      expect([after, is_told, event]).toEqual(next)
    },
  )
})
