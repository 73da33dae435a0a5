import { sql } from 'kysely'
import type { Sql } from '../event-table.ts'
import { type AggregationMethod, PLAIN, type Strategy, type Workload } from '../strategy.ts'

/** `isNarrow` says whether a statement reads facts alone. */
export const toStrategy = (isNarrow: boolean): Strategy => ({
  aggregate,
  comparesTimes: true,
  rereads: isNarrow,
  findsStepsInLists: false,
  // Without it, PostgreSQL expects too many intervals to share the rows among processes. In quotes, because it would
  // convert a number too late to see that several processes may run the subquery.
  fence: sql`offset '0'`,
  // PostgreSQL runs a group by many values in one process; with one group for each part it uses several
  parts: isNarrow ? toHalves : PLAIN.parts,
})

/** Planning takes 0.1 ms for each. */
const MAX_UNITED = 62

/** PostgreSQL sorts all rows for `count(distinct x)`, and hashes for GROUP BY. */
function aggregate({ distinct, canMerge, intervals }: Workload): AggregationMethod {
  // an index leads to the events of a name in an interval; without a name, each interval might read all of them
  const canReadIntervals = intervals?.isNamed && distinct > 0
  // an index alone serves events without filters; then reading each interval separately takes no longer
  const canUnite = intervals && intervals.count <= MAX_UNITED && !intervals.hasFilters
  if (canUnite && (canReadIntervals || intervals.areTotals)) return 'unite'
  if (canReadIntervals) return 'perInterval'
  return distinct === 1 && canMerge ? 'byParts' : 'plain'
}

/** Comparing a hash with < makes PostgreSQL expect a third of the rows; a remainder would make it expect a 200th. */
function toHalves(value: Sql, type: 'number' | 'text'): Sql[] {
  const isFirst = sql`(${sql.raw(type === 'text' ? 'hashtext' : 'hashint8')}(${value}) < 0)`
  return [sql`${isFirst} is true`, sql`${isFirst} is not true`]
}
