import { sql } from 'kysely'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import type { LifecycleQuery } from '#model/query-kinds/lifecycle.schema.ts'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { toBucketIndex } from '../bucket-index.ts'
import { inParts, isCounted, toCounted, toParts } from '../counted.ts'
import { type TimeRange, toTime } from '../dates.ts'
import { and, matchesNode } from '../filters.ts'
import {
  canUseMasks,
  hasBit,
  hasEarlierBit,
  listMaskNames,
  maskColumns,
  toBucketsTable,
} from '../interval-masks.ts'
import { type Context, matchesCommonFilters } from '../plan.ts'

export interface Lifecycle {
  readonly query: LifecycleQuery
  readonly node: EventsNode
  readonly window: TimeRange
}

/** Selects each interval with its `active`, `fresh` and `staying` persons: see `Visitors`. */
export function countPersonsByStatus(
  table: EventTable,
  lifecycle: Lifecycle,
  context: Context,
): Sql {
  const size = lifecycle.window.buckets.length
  const select = (isInPart: Sql) => selectVisits(table, lifecycle, context, isInPart)
  if (!canUseMasks(size + 1)) return byPairs(select(sql`true`))
  return byMasks(toParts(table, lifecycle.query.aggregation_group_type_index), select, size)
}

/** Selects the intervals in which each person was active; -1 is all the time before the first. */
export function selectVisits(
  table: EventTable,
  lifecycle: Lifecycle,
  context: Context,
  isInPart = sql`true`,
): Sql {
  const { window } = lifecycle
  const since = sql`e.timestamp >= ${toTime(window.from)}::timestamptz`
  const until = sql`e.timestamp < ${toTime(window.to)}::timestamptz`
  const person = toCounted(table, lifecycle.query.aggregation_group_type_index)
  return sql`(
    select ${person} as person, case when ${since} then ${toBucketIndex(table, window)} else -1 end as bucket
    from ${table.rows} e where ${and([until, ...matchesVisits(table, lifecycle, context), isInPart])} ${table.strategy.fence}
  ) visits`
}

/** The conditions on the events that count, at any time. */
export const matchesVisits = (
  table: EventTable,
  { query, node }: Lifecycle,
  context: Context,
): Sql[] => [
  matchesNode(table, node, context, `${context.attr}__series__0`),
  ...isCounted(table, query.aggregation_group_type_index),
  matchesCommonFilters(table, query, context),
]

/** The first bit is all the time before the first interval: one mask tells who is new, without a second aggregate. */
function byMasks(parts: readonly Sql[], selectPart: (isInPart: Sql) => Sql, size: number): Sql {
  const names = sql.join(listMaskNames('active', size + 1).map((name) => sql.ref(name)))
  const intervals = [...Array(size).keys()].map((bucket) => bucket + 1)
  const isActive = hasBit('active', size + 1, 'b')
  const isKnown = hasEarlierBit('active', size + 1, 'b')
  const isStaying = hasBit('active', size + 1, 'n')
  const alike = inParts(
    parts,
    (isInPart) => sql`select ${names}, count(*) as persons from (
      select person, ${sql.join(maskColumns('active', size + 1))}
      from (select person, bucket + 1 as bucket from ${selectPart(isInPart)}) places group by person
    ) persons group by ${names}`,
  )
  return sql`with alike as (${alike})
  select b.bucket::bigint - 1 as bucket, sum(persons)::bigint as active,
    sum(case when ${isKnown} then 0 else persons end)::bigint as fresh,
    sum(case when ${isStaying} then persons else 0 end)::bigint as staying
  from alike cross join ${toBucketsTable(size + 1, 'b', intervals)}
    left join ${toBucketsTable(size + 1, 'n')} on n.bucket = b.bucket + 1
  where ${isActive} group by b.bucket`
}

/** Supports any number of intervals, but has to sort them for each person. */
const byPairs = (visits: Sql): Sql => sql`with pairs as (
    select person, bucket from ${visits} group by person, bucket
  ), neighbours as (
    select bucket, lag(bucket) over of_person as before, lead(bucket) over of_person as after
    from pairs window of_person as (partition by person order by bucket)
  )
  select bucket::bigint as bucket, count(*)::bigint as active,
    sum(case when before is null then 1 else 0 end)::bigint as fresh,
    sum(case when after = bucket + 1 then 1 else 0 end)::bigint as staying
  from neighbours where bucket >= 0 group by bucket`
