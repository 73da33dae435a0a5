import { isAdditive } from '#model/additive.ts'
import type { SeriesAction, TrendSeries } from '#model/query-results.ts'
import { type Breakdown, toValueFields, toValueLabel } from '../breakdown.ts'
import { endsInCurrentInterval, type TimeRange } from '../dates.ts'
import { toAction, toBucketLabel, toDay, toSeriesTitle } from '../labels.ts'
import { toNumber } from '../plan.ts'
import type { NamedFormula } from './formula.ts'
import { cumulate, isCumulative, type Trend, type TrendLine, toZeros } from './trend.ts'

/** The values of a line in a period. */
interface LineData {
  readonly data: readonly number[]
  /** The value of the whole period. */
  readonly total: number
}

/** A line of the result in all periods: of a series or a formula, and of a value if there is a breakdown. */
interface Entry {
  readonly title: string
  readonly action: SeriesAction | null
  readonly value: string | undefined
  readonly periods: readonly LineData[]
}

export function shapeResults(trend: Trend, lines: readonly TrendLine[]): TrendSeries[] {
  const { formulas } = trend
  const entries = trend.series.flatMap((_, index) => entriesOf(trend, index, lines))
  const shown = formulas.length
    ? formulas.flatMap((each) => computedEntries(trend, each, entries, lines))
    : entries
  const hasTitles = (formulas.length || trend.series.length) > 1
  return shown.flatMap((entry) =>
    trend.periods.map((range, period) => toTrendSeries(trend, entry, range, period, hasTitles)),
  )
}

function entriesOf(trend: Trend, index: number, lines: readonly TrendLine[]): Entry[] {
  const node = trend.series[index]?.node ?? {}
  const own = lines.filter(({ series }) => series === index)
  return valuesOf(trend, own).map((value) => ({
    title: toSeriesTitle(node),
    action: toAction(node, index),
    value,
    periods: trend.periods.map((range, period) => {
      const line = own.find((each) => each.value === value && each.period === period)
      return toLineData(trend, node.math, line?.data ?? toZeros(trend, range))
    }),
  }))
}

/** Sorts values by size, with the rest last; cohorts stay in the order of the query. */
function valuesOf(trend: Trend, lines: readonly TrendLine[]): (string | undefined)[] {
  if (!trend.breakdown) return [undefined]
  const { hidesOther, cohorts } = trend.breakdown
  if (cohorts) return cohorts.map(({ value }) => value)
  const shown = lines.filter(({ place }) => !hidesOther || place !== Number.POSITIVE_INFINITY)
  const inOrder = shown.toSorted((one, other) => (one.place < other.place ? -1 : 1))
  return [...new Set(inOrder.map(({ value }) => value))]
}

/** Numbers that do not add up come accumulated from the store. */
function toLineData(trend: Trend, math: unknown, data: readonly number[]): LineData {
  const smoothed = smooth(data, trend.query.trendsFilter?.smoothingIntervals ?? 1)
  if (!isCumulative(trend)) return { data: smoothed, total: sumOf(data) }
  return isAdditive(math)
    ? { data: cumulate(smoothed), total: sumOf(data) }
    : { data: smoothed, total: data.at(-1) ?? 0 }
}

/** Uses 0 if a series lacks a value. */
function computedEntries(
  trend: Trend,
  { formula, title }: NamedFormula,
  entries: readonly Entry[],
  lines: readonly TrendLine[],
): Entry[] {
  return valuesOf(trend, lines).map((value) => {
    const operands = trend.series.map((_, index) =>
      entries.find((entry) => entry.action?.order === index && entry.value === value),
    )
    const periods = trend.periods.map((range, period): LineData => {
      const data = toZeros(trend, range).map((_, at) =>
        formula(operands.map((operand) => operand?.periods[period]?.data[at] ?? 0)),
      )
      return { data, total: isCumulative(trend) ? (data.at(-1) ?? 0) : sumOf(data) }
    })
    return { title, action: null, value, periods }
  })
}

function toTrendSeries(
  trend: Trend,
  { title, action, value, periods }: Entry,
  range: TimeRange,
  period: number,
  hasTitles: boolean,
): TrendSeries {
  const { buckets, interval } = range
  const { data, total } = periods[period] as LineData
  const shown = trend.isAggregated ? [] : buckets
  return {
    label: value === undefined ? title : toLabelOf(trend, value, title, hasTitles),
    count: toNumber(total),
    data: trend.isAggregated ? [] : data.map(toNumber),
    labels: shown.map((bucket) => toBucketLabel(bucket, interval)),
    days: shown.map((bucket) => toDay(bucket, interval)),
    ...(trend.isAggregated && { aggregated_value: toNumber(total) }),
    ...(value !== undefined && toValueFields(trend.breakdown as Breakdown, value)),
    ...(!trend.isAggregated &&
      endsInCurrentInterval(range, trend.context) && { unfinished: true as const }),
    ...(trend.periods.length > 1 && {
      compare: true,
      compare_label: period === 0 ? ('current' as const) : ('previous' as const),
    }),
    action,
  }
}

function toLabelOf({ breakdown }: Trend, value: string, title: string, hasTitles: boolean): string {
  const label = toValueLabel(breakdown as Breakdown, value)
  return hasTitles ? `${title} - ${label}` : label
}

const sumOf = (data: readonly number[]): number => data.reduce((sum, number) => sum + number, 0)

/** Averages each interval with the previous ones, of which the first intervals have fewer. */
const smooth = (data: readonly number[], intervals: number): readonly number[] =>
  intervals === 1
    ? data
    : data.map((_, index) => {
        const last = data.slice(Math.max(0, index - intervals + 1), index + 1)
        return sumOf(last) / last.length
      })
