import { findColor } from './color-rules.ts'
import type { DisplaySettings } from './display-settings.ts'
import { formatChange, type NumberFormat } from './number-format.ts'
import type { RuleColor } from './palette.ts'
import type { NumberView } from './query-kinds/query-kind.ts'
import type { TrendSeries } from './query-results.ts'
import { nameSeries, totalOf } from './series-names.ts'

/** One number, and how it changed. */
export interface Headline {
  readonly series: TrendSeries
  readonly name: string
  readonly text: string
  readonly change?: Change
  /** The color that a rule gives to the number. */
  readonly color?: RuleColor
}

export interface Change {
  /** Points up or down; empty if there is no change or nothing to compare with. */
  readonly arrow: '↑' | '↓' | ''
  /** The color of the arrow. */
  readonly mood: 'green' | 'red' | 'dimmed'
  /** Follows the arrow: `100%`. */
  readonly amount: string
  /** Follows the amount: `vs 439 previously`. */
  readonly rest: string
  /** The whole sentence: `+100% vs 439 previously`. */
  readonly text: string
}

/** Shows one number as text, which can be read aloud and selected. */
export function toNumberView(
  all: readonly TrendSeries[],
  format: NumberFormat,
  settings: DisplaySettings,
): NumberView | undefined {
  const headline = readHeadline(all, format, settings)
  return headline && { form: 'number', headline, index: all.indexOf(headline.series) }
}

/** Reads the one number of a result. Undefined if there is none. */
export function readHeadline(
  all: readonly TrendSeries[],
  format: NumberFormat,
  { lowerIsBetter, colorRules }: Pick<DisplaySettings, 'lowerIsBetter' | 'colorRules'>,
): Headline | undefined {
  const named = nameSeries(all)
  const current = named.find(({ isPrevious }) => !isPrevious) ?? named[0]
  const previous = named.find(({ isPrevious }) => isPrevious)
  if (!current) return undefined
  const { series, name } = current
  const value = totalOf(series)
  const color = findColor(value, colorRules, series.label)
  const headline = { series, name, text: format.full(value), ...(color && { color }) }
  if (!previous || previous === current) return headline
  const change = toChange(value, totalOf(previous.series), format, lowerIsBetter === true)
  return { ...headline, change }
}

/** Describes how a number changed. `lowerIsBetter` swaps the colors. */
export function toChange(
  now: number,
  before: number,
  format: Pick<NumberFormat, 'full' | 'percent'>,
  lowerIsBetter: boolean,
): Change {
  const text = formatChange(now, before, format)
  if (before === 0 || now === before) {
    return { arrow: '', mood: 'dimmed', amount: '', rest: text, text }
  }
  const isUp = now > before
  return {
    arrow: isUp ? '↑' : '↓',
    mood: isUp === lowerIsBetter ? 'red' : 'green',
    amount: format.percent(Math.abs((now - before) / before)),
    rest: `vs ${format.full(before)} previously`,
    text,
  }
}
