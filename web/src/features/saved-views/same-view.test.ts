import { expect, it } from 'vitest'
import { isSameView } from './same-view.ts'

it.each([
  [{ event: 'paid', hours: 24 }, { hours: 24, event: 'paid' }, true],
  [{ event: 'paid', hours: undefined }, { event: 'paid' }, true],
  [{ properties: [{ key: 'a', value: 1 }] }, { properties: [{ value: 1, key: 'a' }] }, true],
  [{ event: 'paid' }, { event: 'paid', hours: 24 }, false],
  [
    { properties: [{ key: 'a' }, { key: 'b' }] },
    { properties: [{ key: 'b' }, { key: 'a' }] },
    false,
  ],
])('views %j and %j are the same: %s', (one, other, same) => {
  expect(isSameView(one, other)).toBe(same)
})
