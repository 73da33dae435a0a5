import { sql } from 'kysely'
import { countedGroupType } from '#model/actors/counted-groups.ts'
import { OTHER } from '#model/format.ts'
import type { TrendsQuery } from '#model/query-kinds/trends.schema.ts'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { invalid } from '#server/errors.ts'
import {
  type ActorSet,
  findInterval,
  type InsightPoint,
  requirePeriod,
  toInterval,
} from '../actors.ts'
import { type Breakdown, requireBreakdownText, toBreakdownValue } from '../breakdown.ts'
import { isOfCohort } from '../breakdown-cohorts.ts'
import { toCounted } from '../counted.ts'
import type { TimeRange } from '../dates.ts'
import { and } from '../filters.ts'
import type { Context } from '../plan.ts'
import { toCells, toTopValues } from './break-down.ts'
import { parseTrend, requireTrends } from './parse.ts'
import { rollingDays, toScannedRanges, toWindowAt } from './rolling-window.ts'
import { type EventSelection, selectSeriesEvents, selectWholeEvents } from './select-events.ts'
import { isCumulative, type Series, type Trend } from './trend.ts'

/** Selects the persons or groups of the events that a point, bar or number of a trend counts. */
export function selectTrendsQueryActors(
  query: TrendsQuery,
  point: InsightPoint,
  context: Context,
): ActorSet {
  const trend = parseTrend(query, context)
  const series = trend.series[point.series ?? 0]
  if (!series) throw invalid(`${point.attr}__series`, 'The query has no such series.')
  const range = toCountedRange(trend, series, point)
  const breakdown = requireBreakdown(trend, point)
  const selectCounted = (table: EventTable, { rows, where }: EventSelection) => {
    const { ctes, hasValue } = breakdown
      ? selectValue(table, trend, series, breakdown)
      : { ctes: sql``, hasValue: sql`true` }
    const isCounted = and([where, series.aggregation.isCounted(table), hasValue])
    return { ctes, from: sql`from ${rows} e where ${isCounted}` }
  }
  return {
    ...requireTrends([trend]),
    toSql(table) {
      const { ctes, from } = selectCounted(table, selectSeriesEvents(table, trend, series, range))
      const counted = toCounted(table, countedGroupType(trend.query, series.index))
      return sql`${ctes} select ${counted} as person, count(*) as events ${from} group by 1`
    },
    toEvents(table) {
      const { ctes, from } = selectCounted(table, selectWholeEvents(table, trend, series, range))
      return sql`${ctes} select e.uuid, ${table.milliseconds} as ms ${from}`
    },
  }
}

/** Returns the time of the events that the number counts. */
function toCountedRange(trend: Trend, series: Series, point: InsightPoint): TimeRange {
  const { day, attr } = point
  const range = requirePeriod(trend.periods, point)
  if (day === null || day === undefined) {
    return requirePeriod(toScannedRanges(trend, series), point)
  }
  if (trend.isAggregated) {
    throw invalid(`${attr}__day`, 'This display shows one number for the whole range. Remove it.')
  }
  const index = findInterval(range, day, `${attr}__day`)
  const days = rollingDays(trend, series)
  if (days) return toWindowAt(range, days, index, trend.context)
  const interval = toInterval(range, index)
  return isCumulative(trend) ? { ...interval, from: range.from } : interval
}

interface ChosenValue {
  readonly breakdown: Breakdown
  readonly value: string
}

function requireBreakdown(
  { breakdown }: Trend,
  { breakdown: value, attr }: InsightPoint,
): ChosenValue | undefined {
  if (value === null || value === undefined) return undefined
  if (breakdown)
    return { breakdown, value: requireBreakdownText(breakdown, value, `${attr}__breakdown`) }
  throw invalid(`${attr}__breakdown`, 'The query has no breakdown.')
}

/** Selects one value, or for the rest everything but the largest values. */
function selectValue(
  table: EventTable,
  trend: Trend,
  series: Series,
  { breakdown, value }: ChosenValue,
): { readonly ctes: Sql; readonly hasValue: Sql } {
  const cohort = breakdown.cohorts?.find((each) => each.value === value)
  if (cohort) return { ctes: sql``, hasValue: isOfCohort(table, cohort, trend.context) }
  const own = toBreakdownValue(table, breakdown)
  if (value !== OTHER) return { ctes: sql``, hasValue: sql`${own} = ${value}::text` }
  const current = toScannedRanges(trend, series).slice(0, 1)
  return {
    ctes: sql`with cells as (${toCells(table, trend, series, current)}),
      ${toTopValues(table, trend, series, breakdown)}`,
    hasValue: sql`${own} not in (select value from top)`,
  }
}
