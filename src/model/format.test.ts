import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  duration,
  fullNumber,
  percent,
  shortDay,
  shorten,
  shortNumber,
  toDistinct,
  toLabel,
} from './format.ts'

describe('chart text', () => {
  it('formats numbers like Intl.NumberFormat', () => {
    const intl = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 })
    const numbers = fc.tuple(fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }), fc.nat(4))
    fc.assert(
      fc.property(numbers, ([digits, places]) => {
        const value = digits / 10 ** (places + 3)
        expect(fullNumber(value)).toBe(intl.format(value).replace(/^-0$/, '0'))
      }),
    )
  })

  it.each([
    [0, '0'],
    [-0, '0'],
    [950, '950'],
    [999.6, '1k'],
    [1234, '1.23k'],
    [-48_200, '-48.2k'],
    [999_950, '1M'],
    [3_450_000_000, '3.45B'],
    [0.125, '0.125'],
    [1e20, '1.0e+20'],
    [Number.NaN, '–'],
  ])('shortens %d to %s', (value, text) => {
    expect(shortNumber(value)).toBe(text)
  })

  it.each([
    [fullNumber(128_459), '128,459'],
    [fullNumber(1.005), '1.01'],
    [fullNumber(12_345_678), '12.3M'],
    [fullNumber(-1234.5), '-1,234.5'],
    [fullNumber(-0.001), '0'],
    [fullNumber(Number.NaN), '–'],
    [percent(0.4836), '48.4%'],
    [percent(0.9999), '100%'],
    [duration(45), '45 s'],
    [duration(190), '3.2 min'],
    [duration(129_600), '1.5 d'],
    [shortDay('2026-03-01', 'day'), '1 Mar'],
    [shortDay('2026-03-01 13:00:00', 'hour'), '1 Mar 13:00'],
    [shortDay('2026-03-01', 'month'), 'Mar 2026'],
    [shortDay('<b>', 'day'), '<b>'],
  ])('formats a value as %s', (text, expected) => {
    expect(text).toBe(expected)
  })

  it.each([
    ['a NUL', 'a\u0000b', 'a b'],
    ['half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
    ['line breaks', 'a\r\nb', 'a  b'],
    ['a bidi override', 'a\u202eb', 'a b'],
    ['an empty string', '', '(empty)'],
    ['null', null, '(none)'],
    ["the name of an object's prototype", '__proto__', '__proto__ '],
    ['an object', { a: 1 }, '{"a":1}'],
    ['the marker of missing values', '$$_posthog_breakdown_null_$$', '(none)'],
    ['the marker of other values', '$$_posthog_breakdown_other_$$', 'Other'],
  ])('turns %s into a label', (_, value, label) => {
    expect(toLabel(value)).toBe(label)
  })

  it('truncates between graphemes', () => {
    const family = '👩‍👩‍👧'

    expect(shorten(family.repeat(5), 3)).toBe(`${family}${family}…`)
  })

  it('truncates simple and other texts alike', () => {
    const graphemes = (text: string) =>
      [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment)
    const unit = fc.constantFrom(
      'a',
      ' ',
      'é',
      '\u00ad',
      'e\u0301',
      '\r\n',
      '日',
      '👩‍👩‍👧',
      '🇩🇪',
      '\ud83d',
    )
    fc.assert(
      fc.property(
        fc.array(unit, { maxLength: 12 }),
        fc.integer({ min: 1, max: 8 }),
        (units, max) => {
          const text = units.join('')
          const parts = graphemes(text)
          const cut = `${parts
            .slice(0, max - 1)
            .join('')
            .trimEnd()}…`
          expect(shorten(text, max)).toBe(parts.length <= max ? text : cut)
        },
      ),
    )
  })

  it('limits the length of a label', () => {
    expect(toLabel('x'.repeat(1_000_000)).length).toBeLessThan(200)
  })

  it('makes duplicate labels unique', () => {
    expect(toDistinct(['a', 'b', 'a'])).toEqual(['a', 'b', 'a (2)'])
    expect(new Set(toDistinct(['a', 'a', 'a (2)'])).size).toBe(3)
  })
})
