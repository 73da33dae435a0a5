import { describe, expect, it } from 'vitest'
import {
  alias,
  apply,
  identify,
  idsOf,
  mergeDangerously,
  personOf,
  set,
} from '../../../test/support/data/identity.ts'
import { createIdentity } from './identity.ts'
import { toIdentityEvent } from './identity-event.ts'
import { IDENTITY_KEYS } from './identity-keys.ts'

describe('merging', () => {
  it('joins an anonymous visitor and the user who signs in', () => {
    const { persons, warnings } = apply({ id: 'device' }, identify('ada', 'device'))

    expect(persons).toMatchObject([{ ids: ['device', 'ada'], number: 2, isIdentified: true }])
    expect(warnings).toEqual([])
  })

  it('adds an ID that no event has had', () => {
    expect(idsOf(identify('ada', 'device'))).toEqual([['ada', 'device']])
  })

  it('joins several devices of one user', () => {
    const events = [{ id: 'phone' }, identify('ada', 'phone'), { id: 'laptop' }]

    expect(idsOf(...events, identify('ada', 'laptop'))).toEqual([['phone', 'ada', 'laptop']])
  })

  it('keeps a shared device with the first user, with a warning', () => {
    const events = [{ id: 'device' }, identify('ada', 'device'), identify('bob', 'device')]

    const { persons, warnings } = apply(...events)

    expect(persons.map(({ ids }) => ids)).toEqual([['device', 'ada'], ['bob']])
    expect(persons.every(({ isIdentified }) => isIdentified)).toBe(true)
    expect(warnings).toEqual([['cannot_merge_already_identified', 'bob', 'device']])
  })

  it('follows the same rule for an alias', () => {
    expect(idsOf({ id: 'a' }, alias('b', 'a'))).toEqual([['a', 'b']])
    expect(idsOf(identify('a', 'x'), alias('b', 'a'))).toEqual([['a', 'x'], ['b']])
    expect(apply(alias('b', 'a')).persons[0]?.isIdentified).toBe(true)
  })

  it('needs $merge_dangerously for identified persons', () => {
    expect(idsOf(identify('a', 'x'), mergeDangerously('b', 'a'))).toEqual([['a', 'b', 'x']])
  })

  it('follows chains in both directions', () => {
    const chain = [{ id: 'a' }, alias('b', 'a'), mergeDangerously('c', 'b')]
    expect(idsOf(...chain, mergeDangerously('d', 'a'))).toEqual([['a', 'b', 'c', 'd']])
    expect(idsOf(...chain, mergeDangerously('a', 'c'), mergeDangerously('b', 'd'))).toEqual([
      ['a', 'b', 'c', 'd'],
    ])
  })

  it('does nothing for a person and itself', () => {
    const { persons, warnings } = apply({ id: 'a' }, alias('b', 'a'), mergeDangerously('a', 'b'))

    expect(persons).toMatchObject([{ ids: ['a', 'b'] }])
    expect(warnings).toEqual([])
    expect(idsOf(identify('a', 'a'))).toEqual([['a']])
  })

  it('keeps the earlier creation time', () => {
    expect(apply({ id: 'a' }, alias('b', 'a')).persons[0]?.createdAt).toBe(1)
  })

  it('keeps the creation time if the other ID arrives later, in the same batch or not', () => {
    const identity = createIdentity(
      [
        { projectId: 1, distinctId: 'b', person: 1 },
        { projectId: 1, distinctId: 'a', person: 2 },
      ],
      [personOf(1, 50), personOf(2, 10)],
    )
    const texts = IDENTITY_KEYS.map((key) => (key === 'alias' ? 'a' : null))

    identity.apply(
      toIdentityEvent({ seq: 1, projectId: 1, distinctId: 'b', event: '$create_alias' }, texts),
    )

    expect(identity.changes().changed).toMatchObject([{ number: 1, createdAt: 50 }])
  })

  it.each(['Guest', ' "null" ', '0', ''])('is refused for "%s", with a warning', (id) => {
    const merged = apply({ id: 'a' }, identify('a', id))
    expect(merged.persons.map(({ ids }) => ids)).toEqual([['a']])
    expect(merged.warnings).toEqual([['cannot_merge_with_illegal_distinct_id', 'a', id]])

    const into = apply({ id: 'a' }, identify(id, 'a'))
    expect(into.persons).toMatchObject([{ ids: ['a'] }, { ids: [id], isIdentified: false }])
    expect(into.warnings).toEqual([['cannot_merge_with_illegal_distinct_id', id, 'a']])
  })

  it('does nothing for an event that names no other ID', () => {
    const { persons, warnings } = apply(identify('a', null), alias('b', undefined))

    expect(persons).toMatchObject([
      { ids: ['a'], isIdentified: true },
      { ids: ['b'], isIdentified: true },
    ])
    expect(warnings).toEqual([])
  })

  it('does not cross projects', () => {
    const identity = createIdentity(
      [
        { projectId: 1, distinctId: 'a', person: 1 },
        { projectId: 2, distinctId: 'b', person: 2 },
      ],
      [personOf(1, 1), { ...personOf(2, 2), projectId: 2 }],
    )
    const texts = IDENTITY_KEYS.map((key) => (key === 'alias' ? 'b' : null))

    identity.apply(
      toIdentityEvent({ seq: 3, projectId: 1, distinctId: 'a', event: '$create_alias' }, texts),
    )

    expect(identity.changes()).toMatchObject({
      newIds: [{ projectId: 1, distinctId: 'b', person: 1 }],
      moves: [],
    })
  })
})

describe('a personless event', () => {
  const personless = { $process_person_profile: false }

  it('changes no property and creates no profile', () => {
    expect(apply(set('a', { ...personless, $set: { plan: 'pro' } })).persons).toMatchObject([
      { hasProfile: false, isIdentified: false, properties: {} },
    ])
  })

  it('merges no persons, with a warning', () => {
    const { persons, warnings } = apply({ id: 'a' }, identify('b', 'a', personless))

    expect(persons).toMatchObject([{ ids: ['a'] }, { ids: ['b'], isIdentified: false }])
    expect(warnings).toEqual([['invalid_event_when_process_person_profile_is_false', 'b', 'a']])
  })

  it('belongs to the person into which its ID is merged', () => {
    expect(apply(set('a', personless), identify('b', 'a')).persons).toMatchObject([
      { ids: ['a', 'b'], hasProfile: true },
    ])
  })
})

it.each(['__proto__', 'toString', 'constructor'])(
  'treats the ID and event name %s as any other',
  (name) => {
    expect(idsOf({ id: name }, alias('b', name), { id: name, event: name })).toEqual([[name, 'b']])
  },
)
