import { describe, expect, it } from 'vitest'
import { toRangeText, toUsualRange, type UsualRange } from './usual-range.ts'

/** Visitors of a week: many on weekdays, few on Saturday and Sunday. */
const WEEK = [200, 210, 205, 195, 190, 60, 50]
const weeks = (count: number, of: (value: number, day: number) => number = (value) => value) =>
  Array.from({ length: count * 7 }, (_, day) => of(WEEK[day % 7] as number, day))

const usual = (values: readonly number[], seasons = [7]) =>
  toUsualRange(values, seasons, 'medium') as UsualRange

const isUsual = (value: number, { lower, upper }: UsualRange) => value >= lower && value <= upper

describe('the usual range', () => {
  it('is that of the weekday', () => {
    const monday = usual(weeks(5))
    const saturday = usual([...weeks(5), 200, 210, 205, 195, 190])

    expect([200, 60].map((value) => isUsual(value, monday))).toEqual([true, false])
    expect([200, 60].map((value) => isUsual(value, saturday))).toEqual([false, true])
  })

  it('is that of the hour of the day until weeks are known', () => {
    const hours = Array.from({ length: 24 * 6 }, (_, hour) => (hour % 24 < 12 ? 10 : 1000))

    expect(isUsual(10, usual(hours, [7 * 24, 24]))).toBe(true)
    expect(isUsual(1000, usual(hours, [7 * 24, 24]))).toBe(false)
    expect(isUsual(1000, usual([...hours, ...hours.slice(0, 12)], [7 * 24, 24]))).toBe(true)
  })

  it('follows growth', () => {
    const grown = usual(weeks(8, (value, day) => value + 20 * day))

    expect(isUsual(200 + 20 * 56, grown)).toBe(true)
    expect(isUsual(200 + 20 * 20, grown)).toBe(false)
  })

  it('is neither widened nor moved by outliers', () => {
    const calm = usual(weeks(6))
    const shaken = usual(weeks(6, (value, day) => (day === 10 || day === 40 ? 5000 : value)))

    expect(shaken).toEqual(calm)
  })

  it('knows nothing from before the first event', () => {
    const late = [...Array.from({ length: 60 }, () => 0), ...weeks(5)]

    expect(usual(late)).toEqual(usual(weeks(5)))
  })

  it.each([
    ['few values', [1, 2, 3, 4, 5, 6, 7]],
    ['no events', weeks(5, () => 0)],
    ['no values', []],
  ])('does not exist with %s', (_, values) => {
    expect(toUsualRange(values, [7], 'high')).toBeUndefined()
  })

  it('lets rare counts vary by chance, and never ends below 0', () => {
    const rare = usual([1, 0, 0, 2, 0, 0, 1, 0, 0, 0, 1, 0])

    expect([0, 3].every((value) => isUsual(value, rare))).toBe(true)
    expect(isUsual(9, rare)).toBe(false)
    expect(rare.lower).toBe(0)
  })

  it('is narrower with a higher sensitivity', () => {
    const [low, medium, high] = (['low', 'medium', 'high'] as const).map((sensitivity) => {
      const { lower, upper } = toUsualRange(weeks(5), [7], sensitivity) as UsualRange
      return upper - lower
    }) as [number, number, number]

    expect(low).toBeGreaterThan(medium)
    expect(medium).toBeGreaterThan(high)
  })

  it.each([
    [{ lower: 1204.25, upper: 1388.5 }, '1,204 to 1,389'],
    [{ lower: 0.1234, upper: 0.2345 }, '0.123 to 0.235'],
    [{ lower: 0, upper: 12.345 }, '0 to 12.3'],
  ])('is written as %j: %s', (range, text) => {
    expect(toRangeText(range)).toBe(text)
  })
})
