import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import type { TrendSeries } from '#model/query-results.ts'
import { breakdownProperties, toBreakdown } from '../breakdown.ts'
import { type Range, toEarlier, toPrevious, toRange } from '../dates.ts'
import { propertiesIn } from '../filters.ts'
import { type Context, commonProperties, type Plan } from '../plan.ts'
import { countActivePeople } from './active-people.ts'
import { aggregate } from './aggregate.ts'
import { aggregationProperties, mathOf, toAggregation } from './aggregation.ts'
import { breakDown } from './break-down.ts'
import { parseFormulas } from './formulas.ts'
import { rollingDays, toScannedRanges } from './rolling-window.ts'
import { shapeResults } from './shape-results.ts'
import type { Series, Statement, Trend } from './trend.ts'

/** What shows one number, or one for each value. */
const AGGREGATED = ['ActionsBarValue', 'ActionsPie', 'ActionsTable', 'BoldNumber', 'WorldMap']

export function compileTrendsQuery(query: TrendsQuery, context: Context): Plan<TrendSeries[]> {
  const formulas = parseFormulas(query, context.attr)
  const trend: Trend = {
    query,
    context,
    series: query.series.map((node, index) => parseSeries(node, index, context)),
    periods: resolvePeriods(query, context),
    breakdown: toBreakdown(query.breakdownFilter),
    isAggregated: AGGREGATED.includes(query.trendsFilter?.display ?? ''),
    sharesValues: formulas.length > 0,
  }
  const parts = chooseStatements(trend)
  return {
    properties: [
      ...commonProperties(query, context),
      ...query.series.flatMap((node) => [
        ...propertiesIn(node.properties),
        ...aggregationProperties(node),
      ]),
      ...breakdownProperties(trend.breakdown),
    ],
    statements: parts.map(({ toSql }) => toSql),
    toResult: (answers) =>
      shapeResults(
        trend,
        formulas,
        parts.flatMap(({ toLines }, index) => toLines(answers[index] ?? [])),
      ),
  }
}

function parseSeries(node: TrendsQuery['series'][number], index: number, context: Context): Series {
  const attr = `${context.attr}__series__${index}`
  return { index, node, attr, aggregation: toAggregation(node, attr) }
}

function resolvePeriods(
  { dateRange, interval, compareFilter }: TrendsQuery,
  context: Context,
): Range[] {
  const current = toRange(dateRange, interval ?? 'day', context, `${context.attr}__dateRange`)
  if (!compareFilter?.compare) return [current]
  const { compare_to: by } = compareFilter
  const attr = `${context.attr}__compareFilter__compare_to`
  return [current, by ? toEarlier(current, by, context, attr) : toPrevious(current, context)]
}

function chooseStatements(trend: Trend): Statement[] {
  const { breakdown, series } = trend
  const [active, others] = [series.filter(isActive), series.filter((each) => !isActive(each))]
  return [
    ...active.map((each) => countActivePeople(trend, each, rollingDays(each) as number)),
    ...(breakdown
      ? others.map((each) => breakDown(trend, each, breakdown))
      : groupAlike(others).flatMap((alike) =>
          toScannedRanges(trend, alike[0]).map((range, at) => aggregate(trend, alike, at, range)),
        )),
  ]

  function isActive(each: Series): boolean {
    return !trend.isAggregated && rollingDays(each) !== undefined
  }
}

/** Groups of those that count the same events. */
function groupAlike(series: readonly Series[]): [Series, ...Series[]][] {
  const sourceName = (each: Series) => {
    const { event, properties } = each.node
    const looksElsewhere = rollingDays(each) || mathOf(each.node) === 'first_time_for_user'
    return JSON.stringify([event || null, properties ?? [], looksElsewhere && each.node.math])
  }
  return [...Map.groupBy(series, sourceName).values()] as [Series, ...Series[]][]
}
