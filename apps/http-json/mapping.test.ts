import { describe, expect, it } from 'vitest'
import { createMapper } from './mapping.ts'
import { readSettings } from './settings.ts'

const mapper = (config: Record<string, unknown> = {}) =>
  createMapper(
    readSettings({ config: { url: 'https://a.example/', timestamp_field: 'at', ...config } }),
  )
const ITEM = { id: 1, distinct_id: 'ann', at: '2024-01-01', amount: 5, type: 'bought' }

describe('an item', () => {
  it('becomes an event with its other fields as properties', () => {
    expect(mapper()(ITEM)).toMatchObject({
      event: 'imported',
      distinct_id: 'ann',
      timestamp: '2024-01-01T00:00:00.000Z',
      properties: { id: 1, amount: 5, type: 'bought' },
    })
  })

  it('takes its event name from a field, or uses the setting itself if there is no such field', () => {
    const toEvent = mapper({ event: 'type' })

    expect(toEvent(ITEM)).toMatchObject({ event: 'bought', properties: { id: 1, amount: 5 } })
    expect(toEvent({ ...ITEM, type: undefined })).toMatchObject({ event: 'type' })
  })

  it('may have nested values', () => {
    const toEvent = mapper({ distinct_id_field: 'user.id', timestamp_field: 'meta.times.0' })

    expect(toEvent({ user: { id: 42 }, meta: { times: [1_704_067_200] } })).toMatchObject({
      distinct_id: '42',
      timestamp: '2024-01-01T00:00:00.000Z',
    })
  })

  it('may have a key that looks like a path', () => {
    const toEvent = mapper({ distinct_id_field: 'user.id' })

    expect(toEvent({ 'user.id': 'ann', at: 0 })).toMatchObject({ distinct_id: 'ann' })
  })

  it.each([
    ['amount', { amount: 5 }],
    ['data', { a: 1, b: { c: 2 } }],
    ['data, amount', { a: 1, b: { c: 2 }, amount: 5 }],
    ['data.b.c, missing', { 'data.b.c': 2 }],
  ])('has only the chosen properties: %s', (properties, expected) => {
    const item = { ...ITEM, data: { a: 1, b: { c: 2 } } }

    expect(mapper({ properties })(item)).toHaveProperty('properties', expected)
  })

  it('keeps its event ID while its own ID and the settings stay the same', () => {
    const uuidOf = (item: unknown, config = {}) => (mapper(config)(item) as { uuid: string }).uuid

    expect(uuidOf({ ...ITEM, amount: 6 })).toBe(uuidOf(ITEM))
    expect(uuidOf({ ...ITEM, id: 2 })).not.toBe(uuidOf(ITEM))
    expect(uuidOf(ITEM, { url: 'https://b.example/' })).not.toBe(uuidOf(ITEM))
    expect(uuidOf(ITEM, { event: 'type' })).not.toBe(uuidOf(ITEM))
  })

  it('without an ID is identified by its content', () => {
    const uuidOf = (item: unknown) => (mapper()(item) as { uuid: string }).uuid
    const { id, ...item } = ITEM

    expect(uuidOf(item)).toBe(uuidOf({ ...item }))
    expect(uuidOf({ ...item, amount: 6 })).not.toBe(uuidOf(item))
  })

  it.each([
    [7, 'not an object.'],
    [null, 'not an object.'],
    [[], 'not an object.'],
    [{ at: 0 }, 'no person ID in "distinct_id".'],
    [{ distinct_id: '', at: 0 }, 'no person ID'],
    [{ distinct_id: {}, at: 0 }, 'no person ID'],
    [{ distinct_id: 'x'.repeat(201), at: 0 }, 'no person ID'],
    [{ distinct_id: 'x' }, 'no date in "at".'],
    [{ distinct_id: 'x', at: 'soon' }, '"soon" in "at" is not a date.'],
    [{ distinct_id: 'x', at: 0, a: JSON.parse('['.repeat(80) + ']'.repeat(80)) }, 'nested'],
  ])('that cannot be an event gets a reason: %j', (item, expected) => {
    expect(mapper()(item)).toContain(expected)
  })
})
