import { describe, expect, it } from 'vitest'
import { applySteps, followSteps, type Step, toStep, toTransform } from './steps.ts'

const STEPS: readonly Step[] = [
  { kind: 'rename', field: 'buyer', to: 'customer' },
  { kind: 'cast', field: 'total', type: 'number' },
  { kind: 'remove', field: 'note' },
  { kind: 'add', field: 'source', value: '{{shops.name}}' },
]

describe('the steps of a draft', () => {
  it('change a record, each after the one before', () => {
    const record = { buyer: { mail: 'a' }, total: '12.5', note: 'x' }
    const again: Step = { kind: 'cast', field: 'customer', type: 'string' }

    expect(applySteps(record, [...STEPS, again], (text) => text.toUpperCase())).toEqual({
      customer: '{"mail":"a"}',
      total: 12.5,
      source: '{{SHOPS.NAME}}',
    })
    expect(record).toEqual({ buyer: { mail: 'a' }, total: '12.5', note: 'x' })
  })

  it('become steps of a connector', () => {
    expect(toTransform(STEPS)).toEqual([
      { rename: { buyer: 'customer' } },
      { cast: { total: 'number' } },
      { remove: ['note'] },
      { add: { source: '{{shops.name}}' } },
    ])
  })

  it.each(['add', 'remove', 'rename', 'cast'] as const)(
    'change nothing without a field: %s',
    (kind) => {
      expect(applySteps({ '': 1, a: 2 }, [toStep(kind)], (text) => text)).toEqual({ '': 1, a: 2 })
    },
  )

  it.each([
    ['buyer', 'customer'],
    ['buyer.mail', 'customer.mail'],
    ['buyers', 'buyers'],
    ['total', 'total'],
    ['note', undefined],
    ['note.text', undefined],
  ])('lead from %s to %s', (path, after) => {
    expect(followSteps(path, STEPS)).toBe(after)
  })
})
