import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import type { TrendSeries } from '#model/query-results.ts'
import { breakdownKeys, toBreakdown } from '../breakdown.ts'
import { type Range, toEarlier, toPrevious, toRange } from '../dates.ts'
import { keysOf } from '../filters.ts'
import { type Context, type Plan, sharedKeys } from '../plan.ts'
import { toActivePart } from './active-people.ts'
import { toWholePart } from './aggregate.ts'
import { mathOf, measureKeys, toMeasure } from './aggregation.ts'
import { toPartByValue } from './break-down.ts'
import { toFormulas } from './formulas.ts'
import { activeDays, rangesOf } from './rolling-window.ts'
import { toTrendSeries } from './shape-results.ts'
import type { Counted, Part, Trend } from './trend.ts'

/** What shows one number, or one for each value. */
const AGGREGATED = ['ActionsBarValue', 'ActionsPie', 'ActionsTable', 'BoldNumber', 'WorldMap']

export function compileTrendsQuery(query: TrendsQuery, context: Context): Plan<TrendSeries[]> {
  const formulas = toFormulas(query, context.attr)
  const trend: Trend = {
    query,
    context,
    series: query.series.map((node, index) => toCounted(node, index, context)),
    periods: toPeriods(query, context),
    breakdown: toBreakdown(query.breakdownFilter),
    isAggregated: AGGREGATED.includes(query.trendsFilter?.display ?? ''),
    sharesValues: formulas.length > 0,
  }
  const parts = toParts(trend)
  return {
    properties: [
      ...sharedKeys(query, context),
      ...query.series.flatMap((node) => [...keysOf(node.properties), ...measureKeys(node)]),
      ...breakdownKeys(trend.breakdown),
    ],
    statements: parts.map(({ toSql }) => toSql),
    toResult: (answers) =>
      toTrendSeries(
        trend,
        formulas,
        parts.flatMap(({ toLines }, index) => toLines(answers[index] ?? [])),
      ),
  }
}

function toCounted(node: TrendsQuery['series'][number], index: number, context: Context): Counted {
  const attr = `${context.attr}__series__${index}`
  return { index, node, attr, measure: toMeasure(node, attr) }
}

function toPeriods({ dateRange, interval, compareFilter }: TrendsQuery, context: Context): Range[] {
  const current = toRange(dateRange, interval ?? 'day', context, `${context.attr}__dateRange`)
  if (!compareFilter?.compare) return [current]
  const { compare_to: by } = compareFilter
  const attr = `${context.attr}__compareFilter__compare_to`
  return [current, by ? toEarlier(current, by, context, attr) : toPrevious(current, context)]
}

function toParts(trend: Trend): Part[] {
  const { breakdown, series } = trend
  const [active, others] = [series.filter(isActive), series.filter((each) => !isActive(each))]
  return [
    ...active.map((each) => toActivePart(trend, each, activeDays(each) as number)),
    ...(breakdown
      ? others.map((each) => toPartByValue(trend, each, breakdown))
      : alikeOf(others).flatMap((alike) =>
          rangesOf(trend, alike[0]).map((range, at) => toWholePart(trend, alike, at, range)),
        )),
  ]

  function isActive(each: Counted): boolean {
    return !trend.isAggregated && activeDays(each) !== undefined
  }
}

/** Groups of those that count the same events. */
function alikeOf(series: readonly Counted[]): [Counted, ...Counted[]][] {
  const sourceName = (each: Counted) => {
    const { event, properties } = each.node
    const looksElsewhere = activeDays(each) || mathOf(each.node) === 'first_time_for_user'
    return JSON.stringify([event || null, properties ?? [], looksElsewhere && each.node.math])
  }
  return [...Map.groupBy(series, sourceName).values()] as [Counted, ...Counted[]][]
}
