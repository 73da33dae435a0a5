import { expect, it } from 'vitest'
import { toCondition } from './labels.ts'

it.each([
  ['absolute', { upper: 1_000_000, lower: 0.005 }, 'Value above 1,000,000 or below 0.005'],
  ['percentage', { upper: 0.07, lower: null }, 'Value above 7%'],
] as const)('describes the bounds of an alert: %s', (type, bounds, words) => {
  const threshold = { configuration: { type, bounds } }

  expect(toCondition({ condition: { type: 'absolute_value' }, threshold })).toBe(words)
})
