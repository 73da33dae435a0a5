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
  mathOf(series.node) === 'first_time_for_user'
    ? { rows: firstTimes(table, trend, series, range), where: isInRange(range) }
    : {
        rows: table.rows,
        where: sql`${isInRange(range)} and ${matchesSeries(table, trend, series)}`,
      }

/**
 * Selects each person's first event of the series' name, if it matches. Of several at the same time, one that matches
 * is enough.
 */
function firstTimes(table: EventTable, trend: Trend, series: Series, range: TimeRange): Sql {
  const { node, attr } = series
  const ofName = matchesNode(table, { event: node.event }, trend.context, attr)
  const until = sql`${ofName} and e.timestamp < ${toTime(range.to)}::timestamptz`
  const isFit = matchesSeries(table, trend, series)
  // takes a third of the time, but keeps only the event's person and time
  if (!trend.breakdown) {
    const having = sql`having min(e.timestamp) = min(e.timestamp) filter (where ${isFit})`
    return sql`(
      select e.person, min(e.timestamp) as timestamp from ${table.rows} e where ${until}
      group by e.person ${hasFilters(trend, series) ? having : sql``})`
  }
  return sql`(
    select e.* from (
      select distinct on (e.person) e.* from ${table.rows} e where ${until}
      order by e.person, e.timestamp, not (${isFit}), e.uuid
    ) e where ${isFit})`
}

const hasFilters = ({ query }: Trend, { node }: Series): boolean =>
  Boolean(query.properties || query.filterTestAccounts || node.properties)
