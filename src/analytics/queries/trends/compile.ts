import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import type { TrendSeries } from '#model/query-results.ts'
import { parseBreakdown } from '../breakdown.ts'
import { type ColumnRef, toAsked } from '../columns.ts'
import { columnsIn } from '../filters.ts'
import { resolvePeriods } from '../periods.ts'
import { type Context, commonColumns, type Plan } from '../plan.ts'
import { countActivePeople } from './active-people.ts'
import { aggregate } from './aggregate.ts'
import { aggregationColumns, mathOf, toAggregation } from './aggregation.ts'
import { breakDown } from './break-down.ts'
import { parseFormulas } from './formula.ts'
import { rollingDays, toScannedRanges } from './rolling-window.ts'
import { shapeResults } from './shape-results.ts'
import type { Series, Statement, Trend } from './trend.ts'

/** Displays that show one number, or one for each value. */
const AGGREGATED = ['ActionsBarValue', 'ActionsPie', 'ActionsTable', 'BoldNumber', 'WorldMap']

/** Counts and aggregates events over time: parse, resolve dates, choose statements, shape results. */
export function compileTrendsQuery(query: TrendsQuery, context: Context): Plan<TrendSeries[]> {
  const trend = parseTrend(query, context)
  const statements = chooseStatements(trend)
  return {
    ...toAsked(listColumns(trend)),
    statements: statements.map(({ toSql }) => toSql),
    toResult: (tables) =>
      shapeResults(
        trend,
        statements.flatMap(({ toLines }, index) => toLines(tables[index] ?? [])),
      ),
  }
}

const parseTrend = (query: TrendsQuery, context: Context): Trend => ({
  query,
  context,
  formulas: parseFormulas(query, context.attr),
  series: query.series.map((node, index) => parseSeries(node, index, context)),
  periods: resolvePeriods(query, context),
  breakdown: parseBreakdown(query.breakdownFilter, `${context.attr}__breakdownFilter`),
  isAggregated: AGGREGATED.includes(query.trendsFilter?.display ?? ''),
})

function parseSeries(node: TrendsQuery['series'][number], index: number, context: Context): Series {
  const attr = `${context.attr}__series__${index}`
  return { index, node, attr, aggregation: toAggregation(node, attr) }
}

/** Rolling active people have a statement each; so has a series with a breakdown; others share one if they can. */
function chooseStatements(trend: Trend): Statement[] {
  const isRolling = (series: Series) => !trend.isAggregated && rollingDays(series) !== undefined
  const rolling = trend.series.filter(isRolling)
  const others = trend.series.filter((series) => !isRolling(series))
  return [
    ...rolling.map((series) => countActivePeople(trend, series, rollingDays(series) as number)),
    ...(trend.breakdown ? breakDownEach(trend, others) : aggregateTogether(trend, others)),
  ]
}

const breakDownEach = (trend: Trend, all: readonly Series[]): Statement[] =>
  all.flatMap((series) => (trend.breakdown ? [breakDown(trend, series, trend.breakdown)] : []))

const aggregateTogether = (trend: Trend, all: readonly Series[]): Statement[] =>
  groupAlike(all).flatMap((alike) =>
    toScannedRanges(trend, alike[0]).map((range, period) => aggregate(trend, alike, period, range)),
  )

/** Groups the series that count the same events. */
function groupAlike(all: readonly Series[]): [Series, ...Series[]][] {
  const toKey = (series: Series) => {
    const { event, properties, math } = series.node
    const selectsOthers = rollingDays(series) || mathOf(series.node) === 'first_time_for_user'
    return JSON.stringify([event || null, properties ?? [], selectsOthers && math])
  }
  return [...Map.groupBy(all, toKey).values()] as [Series, ...Series[]][]
}

const listColumns = ({ query, context, breakdown }: Trend): ColumnRef[] => [
  ...commonColumns(query, context),
  ...query.series.flatMap((node) => [...columnsIn(node.properties), ...aggregationColumns(node)]),
  ...(breakdown?.by ?? []),
]
