/** Says how a language writes numbers, as Unicode's CLDR does. `Intl` would take 25 ms at its first use. */
interface Style {
  readonly group: string
  readonly decimal: string
  /** A number of four digits is not grouped. */
  readonly groupsLong?: true
  /** Groups by two digits after the first three: 12,34,567. */
  readonly isIndian?: true
  /** The space between a number and its percent sign. */
  readonly beforePercent?: string
  /** The side of a currency, with a space between; without it, `$5` and `CHF 5`. */
  readonly currency?: 'before' | 'after'
}

const SPACE = '\u00a0'
const NARROW_SPACE = '\u202f'
const ENGLISH: Style = { group: ',', decimal: '.' }

const STYLES = {
  en: ENGLISH,
  'en-IN': { ...ENGLISH, isIndian: true },
  de: { group: '.', decimal: ',', beforePercent: SPACE, currency: 'after' },
  'de-CH': { group: "'", decimal: '.', currency: 'before' },
  es: { group: '.', decimal: ',', groupsLong: true, beforePercent: SPACE, currency: 'after' },
  fr: { group: NARROW_SPACE, decimal: ',', beforePercent: SPACE, currency: 'after' },
  it: { group: '.', decimal: ',', groupsLong: true, currency: 'after' },
  nl: { group: '.', decimal: ',', currency: 'before' },
  pl: { group: SPACE, decimal: ',', groupsLong: true, currency: 'after' },
  'pt-BR': { group: '.', decimal: ',', currency: 'before' },
  sv: { group: SPACE, decimal: ',', beforePercent: SPACE, currency: 'after' },
} as const satisfies Record<string, Style>

export type NumberLocale = keyof typeof STYLES

export const NUMBER_LOCALES = Object.keys(STYLES) as NumberLocale[]

type Chosen = NumberLocale | null | undefined

const styleOf = (locale: Chosen): Style => STYLES[locale ?? 'en']

/** Rewrites the numbers in an English text: `1,234.5 kB` is `1.234,5 kB` in German. */
export function toLocale(text: string, locale: Chosen): string {
  const style = styleOf(locale)
  if (style === ENGLISH) return text
  return text
    .replace(/\d[\d,]*(?:\.\d+)?/g, (number) => writeNumber(number, style))
    .replace('%', `${style.beforePercent ?? ''}%`)
}

function writeNumber(number: string, { group, decimal, groupsLong, isIndian }: Style): string {
  const [digits = '', decimals] = number.replaceAll(',', '').split('.')
  const isGrouped = digits.length > (groupsLong ? 4 : 3)
  const ends = isIndian ? /\B(?=(\d{2})*\d{3}$)/g : /\B(?=(\d{3})+$)/g
  const whole = isGrouped ? digits.replace(ends, group) : digits
  return decimals === undefined ? whole : `${whole}${decimal}${decimals}`
}

/** Writes an amount of money. A code, such as CHF, has a space beside it in every language. */
export function withCurrency(
  amount: string,
  { symbol, isCode }: { readonly symbol: string; readonly isCode: boolean },
  locale: Chosen,
): string {
  const { currency } = styleOf(locale)
  if (currency === 'after') return `${amount}${SPACE}${symbol}`
  if (currency === 'before') return `${symbol}${SPACE}${amount}`
  return `${symbol}${isCode ? ' ' : ''}${amount}`
}
