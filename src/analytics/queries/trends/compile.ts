import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import type { TrendSeries } from '#model/query-results.ts'
import { toAsked } from '../columns.ts'
import type { Context, Plan } from '../plan.ts'
import { countActivePeople } from './active-people.ts'
import { aggregate } from './aggregate.ts'
import { mathOf } from './aggregation.ts'
import { breakDown } from './break-down.ts'
import { listColumns, parseTrend } from './parse.ts'
import { rollingDays, toScannedRanges } from './rolling-window.ts'
import { shapeResults } from './shape-results.ts'
import type { Series, Statement, Trend } from './trend.ts'

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

/** Series of rolling active people and series with a breakdown have a statement each; others share one if they can. */
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
