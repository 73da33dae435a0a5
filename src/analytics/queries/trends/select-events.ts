import { sql } from 'kysely'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { type Range, toTime, within } from '../dates.ts'
import { matchesNode } from '../filters.ts'
import { mathOf } from './aggregation.ts'
import { type Counted, fits, type Trend } from './trend.ts'

/** Which events a series counts in a range: `from ${rows} e where ${where}`. */
export interface Source {
  readonly rows: Sql
  readonly where: Sql
}

export const sourceOf = (table: EventTable, trend: Trend, series: Counted, range: Range): Source =>
  mathOf(series.node) === 'first_time_for_user'
    ? { rows: firstTimes(table, trend, series, range), where: within(range) }
    : { rows: table.rows, where: sql`${within(range)} and ${fits(table, trend, series)}` }

/**
 * Of each person the first event of the series' name, if it fits. Of several at the same time one that fits is enough.
 */
function firstTimes(table: EventTable, trend: Trend, series: Counted, range: Range): Sql {
  const { node, attr } = series
  const ofName = matchesNode(table, { event: node.event }, trend.context, attr)
  const until = sql`${ofName} and e.timestamp < ${toTime(range.to)}::timestamptz`
  const isFit = fits(table, trend, series)
  // a third of the time, but it forgets all of the event except when it was
  if (!trend.breakdown) {
    const having = sql`having min(e.timestamp) = min(e.timestamp) filter (where ${isFit})`
    return sql`(
      select min(e.timestamp) as timestamp from ${table.rows} e where ${until}
      group by e.distinct_id ${hasFilters(trend, series) ? having : sql``})`
  }
  return sql`(
    select e.* from (
      select distinct on (e.distinct_id) e.* from ${table.rows} e where ${until}
      order by e.distinct_id, e.timestamp, not (${isFit}), e.uuid
    ) e where ${isFit})`
}

const hasFilters = ({ query }: Trend, { node }: Counted): boolean =>
  Boolean(query.properties || query.filterTestAccounts || node.properties)
