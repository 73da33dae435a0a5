import { isAdditive } from '#model/query-kinds/additive.ts'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import type { TrendSeries } from '#model/query-results.ts'
import { toRequired } from '../columns.ts'
import type { Context, Plan } from '../plan.ts'
import { countBreakdownValues, requireFewValues } from '../size.ts'
import { accumulate } from './accumulate.ts'
import { countActivePersons } from './active-persons.ts'
import { aggregate } from './aggregate.ts'
import { mathOf } from './aggregation.ts'
import { breakDown } from './break-down.ts'
import { listColumns, parseTrend } from './parse.ts'
import { rollingDays, toScannedRanges } from './rolling-window.ts'
import { shapeResults } from './shape-results.ts'
import { isCumulative, type Series, type Statement, type Trend } from './trend.ts'

/** Counts and aggregates events over time: parse, resolve dates, choose statements, shape results. */
export function compileTrendsQuery(query: TrendsQuery, context: Context): Plan<TrendSeries[]> {
  const trend = parseTrend(query, context)
  requireFewLines(trend)
  const statements = chooseStatements(trend)
  return {
    ...toRequired(listColumns(trend)),
    statements: statements.map(({ toSql }) => toSql),
    toResult: async (tables) => {
      const lines = statements.map(({ toLines }, index) => toLines(tables[index] ?? []))
      return shapeResults(trend, (await Promise.all(lines)).flat())
    },
  }
}

/** Counts the lines of the series, and of the formulas that are computed from them. */
function requireFewLines({ series, formulas, breakdown, periods, isAggregated, context }: Trend) {
  if (isAggregated) return
  const size = {
    lines: (series.length + formulas.length) * countBreakdownValues(breakdown),
    periods,
    fewer: [
      breakdown?.cohorts ? 'cohorts' : breakdown !== undefined && 'breakdown values',
      series.length > 1 && 'series',
      formulas.length > 1 && 'formulas',
    ],
  }
  requireFewValues(size, context.attr)
}

/** Series share a statement if they can. */
function chooseStatements(trend: Trend): Statement[] {
  const chosen = trend.series.map((series) => chooseOwnStatement(trend, series))
  const others = trend.series.filter((_, index) => !chosen[index])
  return [
    ...chosen.filter((statement) => statement !== undefined),
    ...(trend.breakdown ? breakDownEach(trend, others) : aggregateTogether(trend, others)),
  ]
}

/** Returns a statement for numbers that an interval shares with earlier ones. */
function chooseOwnStatement(trend: Trend, series: Series): Statement | undefined {
  if (isCumulative(trend) && !isAdditive(series.node.math)) return accumulate(trend, series)
  const days = trend.isAggregated ? undefined : rollingDays(trend, series)
  return days ? countActivePersons(trend, series, days) : undefined
}

const breakDownEach = (trend: Trend, all: readonly Series[]): Statement[] =>
  all.flatMap((series) => (trend.breakdown ? [breakDown(trend, series, trend.breakdown)] : []))

const aggregateTogether = (trend: Trend, all: readonly Series[]): Statement[] =>
  groupAlike(trend, all).flatMap((alike) =>
    toScannedRanges(trend, alike[0]).map((range, period) => aggregate(trend, alike, period, range)),
  )

/** Groups the series that count the same events. */
function groupAlike(trend: Trend, all: readonly Series[]): [Series, ...Series[]][] {
  const toKey = (series: Series) => {
    const { event, properties, math } = series.node
    const selectsOthers =
      rollingDays(trend, series) || mathOf(series.node) === 'first_time_for_user'
    return JSON.stringify([event || null, properties ?? [], selectsOthers && math])
  }
  return [...Map.groupBy(all, toKey).values()] as [Series, ...Series[]][]
}
