import type { DisplaySettings } from './display-settings.ts'
import {
  duration,
  fullDuration,
  fullNumber,
  percent,
  shortNumber,
  toLabel,
  toPrintable,
} from './format.ts'
import { toLocale, withCurrency } from './number-locale.ts'

/** Formats the values of one chart. */
export interface NumberFormat {
  /** In numbers, tables and tooltips. */
  full(value: number): string
  /** On axes and beside marks. */
  short(value: number): string
  /** Shares and changes, from 0 to 1. */
  percent(share: number): string
  /** The distances between the ticks of an axis, if those of decimal numbers are odd. */
  readonly steps?: readonly number[]
}

export const PLAIN: NumberFormat = {
  full: (value) => fullNumber(value),
  short: shortNumber,
  percent,
}

export const DEFAULT_CURRENCY = 'USD'

/** Symbols that name one currency without doubt. Other currencies are shown by their code. */
const SYMBOLS: Readonly<Record<string, string>> = {
  USD: '$',
  EUR: '€',
  GBP: '£',
  JPY: '¥',
  INR: '₹',
  KRW: '₩',
  BRL: 'R$',
  ILS: '₪',
  PHP: '₱',
  UAH: '₴',
  VND: '₫',
}

/** Currencies without cents. */
const WHOLE_CURRENCIES: readonly string[] = ['CLP', 'ISK', 'JPY', 'KRW', 'VND', 'XAF', 'XOF']

const BYTES = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

/** Seconds: up to minutes, hours, days and weeks. */
const DURATION_STEPS = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800],
  ...[3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800],
]

/** Creates the format of a chart. Make it once: it is used for every value. */
export function toNumberFormat(settings: DisplaySettings): NumberFormat {
  const { aggregationAxisPrefix, aggregationAxisPostfix, numberLocale } = settings
  const { full, short, steps } = toUnit(settings)
  const currency = toCurrency(settings)
  const localized = (format: (value: number) => string) => (value: number) => {
    const text = toLocale(format(value), numberLocale)
    return currency ? withCurrency(text, currency, numberLocale) : text
  }
  const prefix = toPrintable(aggregationAxisPrefix ?? '')
  const postfix = toPrintable(aggregationAxisPostfix ?? '')
  return {
    full: affixed(localized(full), prefix, postfix),
    short: affixed(localized(short), prefix, postfix),
    percent: (share) => toLocale(percent(share), numberLocale),
    ...(steps && { steps }),
  }
}

/** Writes the sign before the prefix: `-$5`. Formats only numbers that are not negative. */
const affixed = (format: (value: number) => string, prefix: string, postfix: string) => {
  return (value: number): string => {
    if (!Number.isFinite(value)) return '–'
    const text = format(Math.abs(value))
    const isZero = !/[1-9]/.test(text)
    return `${value < 0 && !isZero ? '-' : ''}${prefix}${text}${postfix}`
  }
}

/** Returns the format of the numbers in English, without their currency. */
function toUnit(settings: DisplaySettings): Omit<NumberFormat, 'percent'> {
  const max = settings.decimalPlaces ?? 2
  const digits = { min: settings.minDecimalPlaces ?? 0, max }
  const full = (value: number) => fullNumber(value, digits)
  switch (settings.aggregationAxisFormat) {
    case 'percentage':
      return { full: (value) => `${full(value)}%`, short: (value) => `${shortNumber(value)}%` }
    case 'percentage_scaled':
      return {
        full: (value) => `${full(value * 100)}%`,
        short: (value) => `${shortNumber(value * 100)}%`,
      }
    case 'duration':
      return { full: fullDuration, short: duration, steps: DURATION_STEPS }
    case 'duration_ms':
      return {
        full: (value) => fullDuration(value / 1000),
        short: (value) => duration(value / 1000),
        steps: DURATION_STEPS.map((seconds) => seconds * 1000),
      }
    case 'currency':
      return toAmount(settings)
    case 'bytes':
      return { full: toBytes, short: toBytes }
    case 'short':
      return { full: shortNumber, short: shortNumber }
    default:
      return { full, short: shortNumber }
  }
}

function toCurrency({ aggregationAxisFormat, aggregationAxisCurrency }: DisplaySettings) {
  if (aggregationAxisFormat !== 'currency') return undefined
  const code = aggregationAxisCurrency ?? DEFAULT_CURRENCY
  const symbol = SYMBOLS[code]
  return { symbol: symbol ?? code, isCode: symbol === undefined }
}

/** Shows both digits of the cents, or none. */
function toAmount({ aggregationAxisCurrency, decimalPlaces, minDecimalPlaces }: DisplaySettings) {
  const code = aggregationAxisCurrency ?? DEFAULT_CURRENCY
  const max = decimalPlaces ?? (WHOLE_CURRENCIES.includes(code) ? 0 : 2)
  const whole = { min: minDecimalPlaces ?? 0, max }
  const broken = { min: Math.max(minDecimalPlaces ?? 0, Math.min(2, max)), max }
  return {
    full: (value: number) => fullNumber(value, Number.isInteger(value) ? whole : broken),
    short: shortNumber,
  }
}

function toBytes(value: number): string {
  let step = 0
  // rounding may reach the next unit: 999,950 bytes are 1 MB
  while (step < BYTES.length - 1 && value / 1000 ** step >= 999.5) step++
  return `${Number((value / 1000 ** step).toPrecision(3))} ${BYTES[step]}`
}

/** Values from 0 to 100. */
export const PERCENTAGE: NumberFormat = toNumberFormat({ aggregationAxisFormat: 'percentage' })

/** Formats a cell of a table; an empty one stays empty. */
export const formatCell = (value: unknown, format = PLAIN): string =>
  typeof value === 'number' ? format.full(value) : value === null ? '' : toLabel(value)

/** Compares a value with the previous one: `+100% vs 439 previously`. */
export function formatChange(
  now: number,
  before: number,
  format: Pick<NumberFormat, 'full' | 'percent'> = PLAIN,
): string {
  if (before === 0) return 'nothing previously'
  if (now === before) return `${format.full(before)} previously`
  const change = (now - before) / Math.abs(before)
  return `${change > 0 ? '+' : '−'}${format.percent(Math.abs(change))} vs ${format.full(before)} previously`
}
