import { isAdditive } from '#model/query-kinds/additive.ts'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import type { TrendSeries } from '#model/query-results.ts'
import type { StatementRow } from '#server/analytics/event-table.ts'
import type { Context, Plan } from '../plan.ts'
import { countBreakdownValues, requireFewValues } from '../size.ts'
import { accumulate } from './accumulate.ts'
import { countActivePersons } from './active-persons.ts'
import { aggregate } from './aggregate.ts'
import { mathOf } from './aggregation.ts'
import { breakDown } from './break-down.ts'
import { chooseMembers, countByMasks } from './count-by-masks.ts'
import { shapeTrend, toReadings } from './history.ts'
import { parseTrend, requireTrends } from './parse.ts'
import { rollingDays, toScannedRanges } from './rolling-window.ts'
import { isCumulative, type Series, type Statement, type Trend, type TrendLine } from './trend.ts'

/** Counts and aggregates events over time: parse, resolve dates, choose statements, shape results. */
export function compileTrendsQuery(query: TrendsQuery, context: Context): Plan<TrendSeries[]> {
  const { toResult, ...plan } = compileTrendsQueryTogether([query], context)
  return { ...plan, toResult: async (tables) => (await toResult(tables))[0] as TrendSeries[] }
}

/** Compiles queries that differ in nothing but their series and what is done with their numbers: see `toShareKey`. */
export function compileTrendsQueryTogether(
  queries: readonly TrendsQuery[],
  context: Context,
): Plan<TrendSeries[][]> {
  const trends = queries.map((query) => parseTrend(query, context))
  for (const trend of trends) requireFewLines(trend)
  const readings = trends.flatMap((trend, owner) =>
    toReadings(trend).map((read) => ({ owner, trend: read })),
  )
  const shared = [false, true].map((isAggregated) =>
    shareStatements(readings.filter(({ trend }) => trend.isAggregated === isAggregated)),
  )
  return {
    ...requireTrends(trends),
    statements: shared.flatMap(({ statements }) => statements.map(({ toSql }) => toSql)),
    toResult: async (tables) => {
      const [overTime, whole] = shared as [SharedStatements, SharedStatements]
      const split = overTime.statements.length
      const lines = [
        await overTime.toLines(tables.slice(0, split)),
        await whole.toLines(tables.slice(split)),
      ] as const
      return Promise.all(
        trends.map((trend, owner) =>
          shapeTrend(trend, lines[0].get(owner) ?? [], lines[1].get(owner) ?? []),
        ),
      )
    },
  }
}

/** A query, or its numbers over time, and its index among the queries. */
interface Reading {
  readonly owner: number
  readonly trend: Trend
}

interface SharedStatements {
  readonly statements: readonly Statement[]
  /** Returns the lines of each query. */
  toLines(
    tables: readonly (readonly StatementRow[])[],
  ): Promise<ReadonlyMap<number, readonly TrendLine[]>>
}

/** Numbers the series of all readings as if they were of one query. */
function shareStatements(readings: readonly Reading[]): SharedStatements {
  const [first] = readings
  if (!first) return { statements: [], toLines: async () => new Map() }
  const series = readings.flatMap(({ owner, trend }) =>
    trend.series.map((each) => ({ owner, each })),
  )
  const all = series.map(({ each }, index) => ({ ...each, index }))
  const statements = chooseStatements({ ...first.trend, series: all })
  return {
    statements,
    async toLines(tables) {
      const found = statements.map(({ toLines }, index) => toLines(tables[index] ?? []))
      const lines = (await Promise.all(found)).flat().map((line) => ({
        ...line,
        owner: series[line.series]?.owner as number,
        series: series[line.series]?.each.index as number,
      }))
      return Map.groupBy(lines, ({ owner }) => owner)
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
  const masked = trend.breakdown || trend.isAggregated ? [] : shareMasks(trend)
  const left = trend.series.filter((series) => !masked.some((members) => members.includes(series)))
  const own = left.map((series) => chooseOwnStatement(trend, series))
  const others = left.filter((_, index) => !own[index])
  return [
    ...masked.flatMap((members) =>
      trend.periods.map((range, period) => countByMasks(trend, members, period, range)),
    ),
    ...own.filter((statement) => statement !== undefined),
    ...(trend.breakdown ? breakDownEach(trend, others) : aggregateTogether(trend, others)),
  ]
}

/** Groups the series whose persons are counted together. */
const shareMasks = (trend: Trend) =>
  [...Map.groupBy(trend.series, toEventsKey).values()]
    .map((alike) => chooseMembers(trend, alike))
    .filter((members) => members !== undefined)

const toEventsKey = ({ node: { event, rules, properties } }: Series): string =>
  JSON.stringify([event || null, rules ?? [], properties ?? []])

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
    const { math } = series.node
    const selectsOthers =
      rollingDays(trend, series) || mathOf(series.node) === 'first_time_for_user'
    return JSON.stringify([toEventsKey(series), selectsOthers && math])
  }
  return [...Map.groupBy(all, toKey).values()] as [Series, ...Series[]][]
}
