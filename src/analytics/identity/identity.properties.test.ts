import { describe, expect, it } from 'vitest'
import {
  alias,
  apply,
  identify,
  propertiesOf,
  type Sent,
  set,
} from '../../../test/support/data/identity.ts'

describe('person properties', () => {
  it('are set by the last event that arrives', () => {
    const events = [
      set('a', { $set: { plan: 'free', age: 1 } }),
      set('a', { $set: { plan: 'pro' } }),
    ]

    expect(propertiesOf(...events)).toEqual({ plan: 'pro', age: 1 })
  })

  it('are set by $set_once only if absent; null counts as present', () => {
    const events = [
      set('a', { $set: { plan: null } }),
      set('a', { $set_once: { plan: 'x', b: 1 } }),
    ]

    expect(propertiesOf(...events)).toEqual({ plan: null, b: 1 })
  })

  it.each([
    ['a list', ['plan', 'gone', 7]],
    ['the keys of an object', { plan: '' }],
  ])('are removed by %s', (_, $unset) => {
    expect(propertiesOf(set('a', { $set: { plan: 1, age: 2 } }), set('a', { $unset }))).toEqual({
      age: 2,
    })
  })

  it('apply $set_once, $set and $unset of one event in that order', () => {
    const event = {
      $unset: ['c'],
      $set: { a: 'set', c: 'set' },
      $set_once: { a: 'once', b: 'once' },
    }

    expect(propertiesOf(set('a', event))).toEqual({ a: 'set', b: 'once' })
  })

  it('are merged when persons merge; the remaining person wins', () => {
    const events = [
      set('a', { $set: { plan: 'free', device: 1 } }),
      set('b', { $set: { plan: 'pro' } }),
    ]

    expect(propertiesOf(...events, alias('b', 'a'))).toEqual({ plan: 'pro', device: 1 })
  })

  it('of an identify event apply to the merged person', () => {
    const events = [set('a', { $set: { first: 'a', plan: 'free' } })]
    const more = { $set: { plan: 'pro' }, $set_once: { first: 'b' } }

    expect(propertiesOf(...events, identify('b', 'a', more))).toEqual({ first: 'a', plan: 'pro' })
  })

  it.each(['__proto__', 'toString', 'constructor', 'hasOwnProperty'])('can be named %s', (key) => {
    const value = JSON.parse(`{"${key}":{"evil":1}}`)
    const written = (...events: Sent[]) => JSON.stringify(propertiesOf(...events))

    expect(written(set('a', { $set: value }))).toBe(JSON.stringify(value))
    expect(written(set('a', { $set_once: value }))).toBe(JSON.stringify(value))
    expect(written(set('a', { $set: value }), alias('b', 'a'))).toBe(JSON.stringify(value))
    expect(written(set('a', { $set: value, $unset: [key] }))).toBe('{}')
    expect(written(set('a', { $unset: [key] }))).toBe('{}')
    expect(Object.prototype).not.toHaveProperty('evil')
  })

  it.each([['a text'], [7], [['list']], [null], [true]])('are not set by %j', (value) => {
    expect(propertiesOf(set('a', { $set: value, $set_once: value }))).toEqual({})
  })

  it('stay unchanged, with a warning, if new ones are too large', () => {
    const { persons, warnings } = apply(
      set('a', { $set: { plan: 'pro' } }),
      set('a', { $set: { note: 'x'.repeat(40_000) } }),
      set('a', { $set: '$too_large', $set_once: { age: 1 } }),
    )

    expect(persons[0]?.properties).toEqual({ plan: 'pro', age: 1 })
    expect(warnings).toEqual([
      ['person_properties_size_violation', 'a', null],
      ['person_properties_size_violation', 'a', null],
    ])
  })

  it("are only the remaining person's if both together are too large", () => {
    const half = 'x'.repeat(20_000)
    const events = [set('a', { $set: { a: half } }), set('b', { $set: { b: half } })]

    const { persons, warnings } = apply(...events, alias('b', 'a'))

    expect(persons).toMatchObject([{ ids: ['a', 'b'], properties: { b: half } }])
    expect(persons[0]?.properties).not.toHaveProperty('a')
    expect(warnings).toEqual([['person_properties_size_violation', 'b', 'a']])
  })
})
