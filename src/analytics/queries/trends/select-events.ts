import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { isInRange, type TimeRange, toTime } from '../dates.ts'
import { matchesNode } from '../filters.ts'
import { mathOf } from './aggregation.ts'
import { matchesSeries, type Series, type Trend } from './trend.ts'

/** Selects the events that a series counts in a range: `from ${rows} e where ${where}`. */
export interface EventSelection {
  readonly rows: Sql
  readonly where: Sql
}

export const selectSeriesEvents = (
  table: EventTable,
  trend: Trend,
  series: Series,
  range: TimeRange,
): EventSelection =>
  trend.breakdown || !isFirstTime(series)
    ? selectWholeEvents(table, trend, series, range)
    : { rows: firstTimes(table, trend, series, range), where: isInRange(range) }

/** Selects the same events with all of their columns. */
export const selectWholeEvents = (
  table: EventTable,
  trend: Trend,
  series: Series,
  range: TimeRange,
): EventSelection =>
  isFirstTime(series)
    ? { rows: firstEvents(table, trend, series, range), where: isInRange(range) }
    : {
        rows: table.rows,
        where: sql`${isInRange(range)} and ${matchesSeries(table, trend, series)}`,
      }

const isFirstTime = ({ node }: Series): boolean => mathOf(node) === 'first_time_for_user'

/**
 * Selects each person's first event of the series' name, if it matches. Of several at the same time, one that matches
 * is enough.
 */
function firstEvents(table: EventTable, trend: Trend, series: Series, range: TimeRange): Sql {
  const isFit = matchesSeries(table, trend, series)
  return sql`(
    select e.* from (
      select distinct on (e.person) e.* from ${table.rows} e where ${isOfName(table, trend, series, range)}
      order by e.person, e.timestamp, not (${isFit}), e.uuid
    ) e where ${isFit})`
}

/** Selects only the person and the time of each first event, which takes a third of the time. */
function firstTimes(table: EventTable, trend: Trend, series: Series, range: TimeRange): Sql {
  const isFit = matchesSeries(table, trend, series)
  const having = sql`having min(e.timestamp) = min(e.timestamp) filter (where ${isFit})`
  return sql`(
    select e.person, min(e.timestamp) as timestamp from ${table.rows} e
    where ${isOfName(table, trend, series, range)}
    group by e.person ${isFiltered(trend, series) ? having : sql``})`
}

function isOfName(
  table: EventTable,
  { context }: Trend,
  { node, attr }: Series,
  range: TimeRange,
): Sql {
  const ofName = matchesNode(table, { event: node.event, rules: node.rules }, context, attr)
  return sql`${ofName} and e.timestamp < ${toTime(range.to)}::timestamptz`
}

/** Tells whether a series counts only events with some properties. */
export const isFiltered = ({ query }: Trend, { node }: Series): boolean =>
  Boolean(query.properties || query.filterTestAccounts || node.properties)
