import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import { type LifecycleQuery, STATUSES } from '#model/query-kinds/lifecycle.schema.ts'
import type { LifecycleSeries } from '#model/query-results.ts'
import type { StatementRow } from '#server/analytics/event-table.ts'
import { mapInTurns } from '#server/turns.ts'
import { type ColumnRef, toRequired } from '../columns.ts'
import { countedColumns } from '../counted.ts'
import { endsInCurrentInterval, type TimeRange, toWholeIntervals } from '../dates.ts'
import { nodeColumns } from '../filters.ts'
import { toAction, toAxis, toSeriesTitle } from '../labels.ts'
import { resolveRange } from '../periods.ts'
import { type Context, commonColumns, type Plan, toNumber } from '../plan.ts'
import { countPersonsByStatus, type Lifecycle } from './count-persons.ts'

/** Counts new, returning, resurrecting and dormant persons: resolve dates, count persons, shape series. */
export function compileLifecycleQuery(
  query: LifecycleQuery,
  context: Context,
): Plan<readonly LifecycleSeries[]> {
  const lifecycle = parseLifecycle(query, context)
  return {
    ...toRequired(listColumns(lifecycle, context)),
    statements: [(table) => countPersonsByStatus(table, lifecycle, context)],
    toResult: ([rows = []]) => shapeSeries(lifecycle, rows, context),
  }
}

export const parseLifecycle = (query: LifecycleQuery, context: Context): Lifecycle => ({
  query,
  node: query.series[0] as EventsNode,
  window: resolveIntervals(query, context),
})

export const listColumns = ({ query, node }: Lifecycle, context: Context): ColumnRef[] => [
  ...nodeColumns(node),
  ...commonColumns(query, context),
  ...countedColumns(query.aggregation_group_type_index),
]

/**
 * Returns the intervals of the range and the one before, all of them complete: persons who came on days of a week outside
 * the range were active in that week nevertheless.
 */
function resolveIntervals(query: LifecycleQuery, context: Context): TimeRange {
  const range = resolveRange(query, context)
  return toWholeIntervals(range, context)
}

async function shapeSeries(
  { query, node, window }: Lifecycle,
  rows: readonly StatementRow[],
  context: Context,
): Promise<LifecycleSeries[]> {
  const { buckets, interval } = window
  const counts = countStatuses(rows, buckets.length)
  const axis = await toAxis(buckets.slice(1), interval)
  const isUnfinished = endsInCurrentInterval(window, context)
  const toggled = query.lifecycleFilter?.toggledLifecycles
  const statuses = STATUSES.filter((status) => !toggled || toggled.includes(status))
  return mapInTurns(statuses, (status) => {
    const data = counts.map((each) => each[status])
    return {
      label: `${toSeriesTitle(node)} - ${status}`,
      status,
      count: data.reduce((sum, count) => sum + count, 0),
      data,
      ...axis,
      ...(isUnfinished && { unfinished: true as const }),
      action: toAction(node, 0),
    }
  })
}

type Counts = Readonly<Record<LifecycleSeries['status'], number>>

/** Persons active in an interval, those who never were before, and those who are in the next interval too. */
interface Visitors {
  readonly active: number
  readonly fresh: number
  readonly staying: number
}

/** Counts each interval but the first, which precedes the range. */
function countStatuses(rows: readonly StatementRow[], intervals: number): Counts[] {
  const byBucket = new Map(rows.map((row) => [row.bucket, row]))
  const visitors = [...Array(intervals).keys()].map((bucket) => toVisitors(byBucket.get(bucket)))
  return visitors.slice(1).map((now, index) => {
    const before = visitors[index] as Visitors
    return {
      new: now.fresh,
      returning: before.staying,
      resurrecting: now.active - now.fresh - before.staying,
      dormant: before.staying - before.active,
    }
  })
}

const toVisitors = (row: StatementRow | undefined): Visitors => ({
  active: toNumber(row?.active),
  fresh: toNumber(row?.fresh),
  staying: toNumber(row?.staying),
})
