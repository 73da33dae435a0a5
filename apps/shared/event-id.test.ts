import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toEventId } from './event-id.ts'

describe('an event ID', () => {
  it('is a UUID of version 5 that depends only on its name', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(toEventId(one)).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        )
        expect(toEventId(one) === toEventId(other)).toBe(one === other)
      }),
    )
  })

  it('never changes, or every event would be imported again', () => {
    expect(toEventId('a')).toBe('6fff282c-187f-5c27-9587-457114b54545')
  })
})
