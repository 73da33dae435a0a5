import { isAdditive } from '#model/query-kinds/additive.ts'
import type { SeriesAction, TrendSeries } from '#model/query-results.ts'
import { mapInTurns } from '#server/turns.ts'
import { type Breakdown, toValueFields, toValueLabel } from '../breakdown.ts'
import { endsInCurrentInterval, type TimeRange } from '../dates.ts'
import { type Axis, toAction, toAxis, toSeriesTitle } from '../labels.ts'
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

/** A period, and everything that its lines share. */
interface PeriodAxis extends Axis {
  /** 0: the current one. */
  readonly period: number
  readonly isUnfinished: boolean
}

/** Shapes the result in as many turns of the event loop as it takes. */
export async function shapeResults(
  trend: Trend,
  lines: readonly TrendLine[],
): Promise<TrendSeries[]> {
  const { formulas } = trend
  const entries: Entry[] = []
  for (const index of trend.series.keys()) entries.push(...(await toEntries(trend, index, lines)))
  const shown = formulas.length ? await computedEntries(trend, entries, lines) : entries
  const hasTitles = (formulas.length || trend.series.length) > 1
  const axes = await toAxes(trend)
  const perPeriod = await mapInTurns(shown, (entry) =>
    axes.map((axis) => toTrendSeries(trend, entry, axis, hasTitles)),
  )
  return perPeriod.flat()
}

async function toAxes({ periods, isAggregated, context }: Trend): Promise<PeriodAxis[]> {
  const axes: PeriodAxis[] = []
  for (const [period, range] of periods.entries()) {
    const axis = await toAxis(isAggregated ? [] : range.buckets, range.interval)
    const isUnfinished = !isAggregated && endsInCurrentInterval(range, context)
    axes.push({ ...axis, period, isUnfinished })
  }
  return axes
}

function toEntries(trend: Trend, index: number, lines: readonly TrendLine[]): Promise<Entry[]> {
  const node = trend.series[index]?.node ?? {}
  const own = lines.filter(({ series }) => series === index)
  const byValue = Map.groupBy(own, ({ value }) => value)
  const [title, action] = [toSeriesTitle(node), toAction(node, index)]
  return mapInTurns(listValues(trend, own), (value) => ({
    title,
    action,
    value,
    periods: trend.periods.map((range, period) => {
      const line = byValue.get(value)?.find((each) => each.period === period)
      return toLineData(trend, node.math, line?.data ?? toZeros(trend, range))
    }),
  }))
}

/** Sorts values by size, with the rest last; cohorts stay in the order of the query. */
function listValues(trend: Trend, lines: readonly TrendLine[]): (string | undefined)[] {
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
  if (!isCumulative(trend)) return { data: smoothed, total: addUp(data) }
  return isAdditive(math)
    ? { data: cumulate(smoothed), total: addUp(data) }
    : { data: smoothed, total: data.at(-1) ?? 0 }
}

/** Computes the lines of each formula. Uses 0 if a series lacks a value. */
async function computedEntries(
  trend: Trend,
  entries: readonly Entry[],
  lines: readonly TrendLine[],
): Promise<Entry[]> {
  const byValue = Map.groupBy(entries, ({ value }) => value)
  const operandsByValue = new Map(
    listValues(trend, lines).map((value) => {
      const ofValue = new Map(byValue.get(value)?.map((entry) => [entry.action?.order, entry]))
      return [value, trend.series.map((_, index) => ofValue.get(index))]
    }),
  )
  const computed: Entry[] = []
  for (const named of trend.formulas) {
    for (const [value, operands] of operandsByValue) {
      const periods: LineData[] = []
      for (const [period, range] of trend.periods.entries()) {
        const ofPeriod = operands.map((operand) => operand?.periods[period])
        periods.push(await computeLine(trend, named, range, ofPeriod))
      }
      computed.push({ title: named.title, action: null, value, periods })
    }
  }
  return computed
}

async function computeLine(
  trend: Trend,
  { formula }: NamedFormula,
  range: TimeRange,
  operands: readonly (LineData | undefined)[],
): Promise<LineData> {
  const data = await mapInTurns(toZeros(trend, range), (_, at) =>
    formula(operands.map((operand) => operand?.data[at] ?? 0)),
  )
  return { data, total: isCumulative(trend) ? (data.at(-1) ?? 0) : addUp(data) }
}

function toTrendSeries(
  trend: Trend,
  { title, action, value, periods }: Entry,
  { labels, days, period, isUnfinished }: PeriodAxis,
  hasTitles: boolean,
): TrendSeries {
  const { data, total } = periods[period] as LineData
  return {
    label: value === undefined ? title : lineLabel(trend, value, title, hasTitles),
    count: toNumber(total),
    data: trend.isAggregated ? [] : data.map(toNumber),
    labels,
    days,
    ...(trend.isAggregated && { aggregated_value: toNumber(total) }),
    ...(value !== undefined && toValueFields(trend.breakdown as Breakdown, value)),
    ...(isUnfinished && { unfinished: true as const }),
    ...(trend.periods.length > 1 && {
      compare: true,
      compare_label: period === 0 ? ('current' as const) : ('previous' as const),
    }),
    action,
  }
}

function lineLabel({ breakdown }: Trend, value: string, title: string, hasTitles: boolean): string {
  const label = toValueLabel(breakdown as Breakdown, value)
  return hasTitles ? `${title} - ${label}` : label
}

const addUp = (data: readonly number[]): number => data.reduce((sum, number) => sum + number, 0)

/** Averages each interval with the previous ones; the first intervals have fewer predecessors. */
const smooth = (data: readonly number[], intervals: number): readonly number[] =>
  intervals === 1
    ? data
    : data.map((_, index) => {
        const first = Math.max(0, index - intervals + 1)
        let sum = 0
        for (let at = first; at <= index; at++) sum += data[at] as number
        return sum / (index + 1 - first)
      })
