import { describe, expect, it } from 'vitest'
import { createShapeSample, describeChange, type EventShape, mergeShapes } from './event-shape.ts'

const shapeOf = (...events: object[]): EventShape => {
  const sample = createShapeSample()
  sample.add(
    events.map((properties) => ({
      uuid: '',
      event: 'order',
      distinct_id: 'ada',
      timestamp: '',
      properties: JSON.stringify(properties),
    })),
  )
  return sample.read()
}

describe('the shape of events', () => {
  it('has the type of each property, and whether all events have it', () => {
    const shape = shapeOf(
      { total: 1, tags: [], when: 'now', note: null, $ip: '::1' },
      { total: 2, tags: {}, paid: true },
    )

    expect(shape).toEqual({
      order: { total: 'number', tags: 'mixed', when: 'text?', paid: 'boolean?' },
    })
  })

  it('comes from the first 200 events', () => {
    const many = Array.from({ length: 250 }, (_, index) => ({ [index < 200 ? 'a' : 'b']: 1 }))

    expect(shapeOf(...many)).toEqual({ order: { a: 'number' } })
  })
})

describe('a change of events', () => {
  const before = shapeOf({ total: 1, sku: 'a', note: 'x' }, { total: 2, sku: 'b' })

  it.each([
    ['nothing', [{ total: 3, sku: 'c' }], ''],
    ['a new property', [{ total: 3, sku: 'c', coupon: 'x' }], 'order: "coupon" is new.'],
    ['another type', [{ total: '3', sku: 'c' }], 'order: "total" is text instead of number.'],
    ['a lost property', [{ total: 3 }], 'order: "sku" is missing.'],
    ['a property that some events lack', [{ total: 3, sku: 'c' }, { total: 3 }], ''],
    [
      'mixed types',
      [
        { total: 3, sku: 'c' },
        { total: 'x', sku: 'c' },
      ],
      '',
    ],
    ['no events', [], ''],
  ])('is named: %s', (_, events, expected) => {
    expect(describeChange(before, shapeOf(...events))).toBe(expected)
  })

  it('is no news the second time', () => {
    const now = shapeOf({ total: '3', coupon: 'x' })
    const merged = mergeShapes(before, now)

    expect(describeChange(before, now)).not.toBe('')
    expect(describeChange(merged, now)).toBe('')
    expect(merged.order).toEqual({ total: 'text', coupon: 'text?', note: 'text?' })
  })

  it('is not an event of another name', () => {
    expect(describeChange({}, before)).toBe('')
    expect(mergeShapes({ other: { a: 'text' } }, before)).toEqual({
      other: { a: 'text' },
      ...before,
    })
  })
})
