import { describe, expect, it } from 'vitest'
import type { DisplaySettings } from './display-settings.ts'
import { toNumberFormat } from './number-format.ts'
import { NUMBER_LOCALES, type NumberLocale } from './number-locale.ts'

const NUMBERS = [0, 0.5, 7, 999, 1000, 1234.5, 9999.99, 12_345.67, 98_765.43]

/** Compares with the tables of Unicode that Node has; only the space of a currency's code is our own in English. */
const shown = (numberLocale: NumberLocale, settings: DisplaySettings = {}) =>
  NUMBERS.map(toNumberFormat({ numberLocale, ...settings }).full)

const byIntl = (locale: NumberLocale, options: Intl.NumberFormatOptions) => {
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 2, ...options })
  return NUMBERS.map((number) => format.format(number))
}

describe.each(NUMBER_LOCALES)('numbers as in %s', (locale) => {
  it('are written as Unicode says', () => {
    expect(shown(locale)).toEqual(byIntl(locale, {}))
    expect(toNumberFormat({ numberLocale: locale }).full(1_234_567.5)).toBe(
      new Intl.NumberFormat(locale).format(1_234_567.5),
    )
  })

  it('have their percent sign where Unicode says', () => {
    expect(shown(locale, { aggregationAxisFormat: 'percentage_scaled' })).toEqual(
      byIntl(locale, { style: 'percent' }),
    )
  })

  it('have their currency where Unicode says', () => {
    const digits = { minDecimalPlaces: 2, decimalPlaces: 2 }

    expect(
      shown(locale, { aggregationAxisFormat: 'currency', ...toCurrency(locale), ...digits }),
    ).toEqual(byIntl(locale, { style: 'currency', currency: MONEY[locale] ?? 'EUR' }))
  })
})

const MONEY: Partial<Record<NumberLocale, string>> = { 'de-CH': 'CHF', 'en-IN': 'INR' }

const toCurrency = (locale: NumberLocale) => ({ aggregationAxisCurrency: MONEY[locale] ?? 'EUR' })

describe('a German format', () => {
  it.each<[DisplaySettings, number, string, string]>([
    [{}, -1234.5, '-1.234,5', '-1,23k'],
    [{ aggregationAxisFormat: 'bytes' }, 1_250_000, '1,25 MB', '1,25 MB'],
    [{ aggregationAxisFormat: 'duration' }, 5400, '1 h 30 min', '1,5 h'],
    [
      { aggregationAxisFormat: 'currency', aggregationAxisCurrency: 'CHF' },
      -9.5,
      '-9,50\u00a0CHF',
      '-9,5\u00a0CHF',
    ],
    [
      { aggregationAxisPrefix: 'v1.5 ', aggregationAxisPostfix: ' %' },
      1.5,
      'v1.5 1,5 %',
      'v1.5 1,5 %',
    ],
  ])('%j shows %d as %s, briefly %s', (settings, value, full, short) => {
    const format = toNumberFormat({ ...settings, numberLocale: 'de' })

    expect([format.full(value), format.short(value)]).toEqual([full, short])
  })

  it('writes shares and changes alike', () => {
    expect(toNumberFormat({ numberLocale: 'de' }).percent(0.1234)).toBe('12,3\u00a0%')
  })
})
