import { describe, expect, it } from 'vitest'
import { isCanonicalTime, parseCanonicalTime, toCanonicalTime } from './canonical-time.ts'

describe('canonical times', () => {
  it.each([
    '1970-01-01T00:00:00.000Z',
    '2026-11-18T11:49:53.007Z',
    '2026-11-18T23:59:59.999Z',
    '2024-02-29T12:00:00.500Z',
    '0001-01-01T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '2026-02-30T01:02:03.004Z',
    '2026-02-32T01:02:03.004Z',
    '2026-13-01T01:02:03.004Z',
    '2026-11-18T24:00:00.000Z',
    '2026-11-18T24:00:00.001Z',
    '2026-11-18T12:60:00.000Z',
    '2026-11-18T12:00:60.000Z',
  ])('parses %s as JavaScript does', (text) => {
    expect(isCanonicalTime(text)).toBe(true)

    expect(parseCanonicalTime(text)).toBe(Date.parse(text))
  })

  it.each([
    0,
    -1,
    -86_400_000,
    -86_400_001,
    1_795_000_000_007,
    1_795_046_399_999,
    Date.parse('0001-01-01T00:00:00.000Z'),
    Date.parse('1969-12-31T23:59:59.099Z'),
    Date.parse('9999-12-31T23:59:59.999Z'),
  ])('writes %d as JavaScript does', (time) => {
    expect(toCanonicalTime(time)).toBe(new Date(time).toISOString())
  })

  it('parses times of several days in turns', () => {
    const times = ['2026-11-18T01:00:00.000Z', '2026-11-19T02:00:00.000Z']

    const parsed = [...times, ...times].map(parseCanonicalTime)

    expect(parsed).toEqual([...times, ...times].map((text) => Date.parse(text)))
  })

  it.each(['2026-11-18T11:49:53Z', '2026-11-18', '+02026-11-18T11:49:53.007Z', ''])(
    'does not take "%s" for canonical',
    (text) => {
      expect(isCanonicalTime(text)).toBe(false)
    },
  )
})
