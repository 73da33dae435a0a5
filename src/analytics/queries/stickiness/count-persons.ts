import { sql } from 'kysely'
import { countedGroupType } from '#model/actors/counted-groups.ts'
import type { EventsNode } from '#model/query-kinds/common.schema.ts'
import type { Criteria, StickinessQuery } from '#model/query-kinds/stickiness.schema.ts'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { toBucketIndex } from '../bucket-index.ts'
import { type CountedType, inParts, isCounted, toCounted, toParts } from '../counted.ts'
import { isInRange, type TimeRange } from '../dates.ts'
import { and, matchesNode } from '../filters.ts'
import { canUseMasks, listMaskNames, maskColumns } from '../interval-masks.ts'
import { type Context, matchesCommonFilters } from '../plan.ts'

/** A query in one of its periods. */
export interface Stickiness {
  readonly query: StickinessQuery
  readonly range: TimeRange
  readonly context: Context
}

/** Series that count persons, or groups of the same type. */
export interface Alike {
  readonly type: CountedType
  /** Their places among the series of the query. */
  readonly numbers: readonly number[]
}

export function groupAlike(query: StickinessQuery): Alike[] {
  const byType = Map.groupBy(query.series.keys(), (series) => countedGroupType(query, series))
  return [...byType].map(([type, numbers]) => ({ type, numbers }))
}

/** Returns a group of this one series. */
export const toAlike = (query: StickinessQuery, series: number): Alike => ({
  type: countedGroupType(query, series),
  numbers: [series],
})

/** Counts the persons by number of active intervals. Returns rows of series, times and persons. */
export function countPersonsByActivity(
  table: EventTable,
  stickiness: Stickiness,
  { type, numbers }: Alike,
): Sql {
  const { query, range } = stickiness
  const size = range.buckets.length
  const criteria = query.stickinessFilter?.stickinessCriteria
  const cases = numbers.map((series) => sql`when ${sql.lit(series)} then ${timesColumn(series)}`)
  const parts = inParts(toParts(table, type), (isInPart) => {
    const visits = selectVisits(table, stickiness, { type, numbers }, isInPart)
    const persons =
      criteria || !canUseMasks(size)
        ? byPairs(visits, numbers, criteria ?? ANY)
        : byMasks(table, visits, numbers, size)
    return sql`select series, times, count(*) as persons from (
      select s.series, case s.series ${sql.join(cases, sql` `)} end as times
      from (${persons} ${table.strategy.fence}) persons
      cross join (values ${sql.join(numbers.map((series) => sql`(${sql.lit(series)})`))}) s (series)
    ) found where times > 0 group by series, times`
  })
  return sql`select series::bigint as series, times::bigint as times, sum(persons)::bigint as persons
  from (${parts}) parts group by series, times`
}

const timesColumn = (series: number): Sql => sql.ref(`times_${series}`)
const eventsColumn = (series: number): Sql => sql.ref(`events_${series}`)
const matchColumn = (series: number): Sql => sql.ref(`is_${series}`)

/** Selects the intervals in which each person did what any of the series counts. */
function selectVisits(
  table: EventTable,
  stickiness: Stickiness,
  { type, numbers }: Alike,
  isInPart = sql`true`,
): Sql {
  const flags = matchSeries(table, stickiness, numbers).map(
    (isMatch, at) => sql`${isMatch} as ${matchColumn(numbers[at] as number)}`,
  )
  const where = and([...matchesVisits(table, stickiness, { type, numbers }), isInPart])
  return sql`(
    select ${toCounted(table, type)} as person, ${toBucketIndex(table, stickiness.range)} as bucket, ${sql.join(flags)}
    from ${table.rows} e where ${where} ${table.strategy.fence}
  ) visits`
}

const matchSeries = (
  table: EventTable,
  { query, context }: Stickiness,
  numbers: readonly number[],
): Sql[] =>
  numbers.map((series) =>
    matchesNode(
      table,
      query.series[series] as EventsNode,
      context,
      `${context.attr}__series__${series}`,
    ),
  )

/** The conditions on the events that any of the series counts. */
export const matchesVisits = (
  table: EventTable,
  stickiness: Stickiness,
  { type, numbers }: Alike,
): Sql[] => [
  isInRange(stickiness.range),
  sql`(${sql.join(matchSeries(table, stickiness, numbers), sql` or `)})`,
  ...isCounted(table, type),
  matchesCommonFilters(table, stickiness.query, stickiness.context),
]

function byMasks(table: EventTable, visits: Sql, numbers: readonly number[], size: number): Sql {
  const isOnly = numbers.length === 1
  const masks = numbers.flatMap((series) =>
    maskColumns(`mask_${series}`, size, isOnly ? undefined : matchColumn(series)),
  )
  const times = numbers.map((series) => {
    const bits = listMaskNames(`mask_${series}`, size).map((mask) => table.countBits(sql.ref(mask)))
    return sql`${sql.join(bits, sql` + `)} as ${timesColumn(series)}`
  })
  return sql`select ${sql.join(times)} from (
    select person, ${sql.join(masks)} from ${visits} group by person
  ) masks`
}

/** Any event is enough. */
const ANY: Criteria = { operator: 'gte', value: 1 }

/** Selects `person`, in how many intervals (`times`) the person did what a series counts, and how often (`events`). */
export function selectActivePersons(
  table: EventTable,
  stickiness: Stickiness,
  series: number,
): Sql {
  const { query } = stickiness
  const numbers = [series]
  const visits = selectVisits(table, stickiness, toAlike(query, series))
  const criteria = query.stickinessFilter?.stickinessCriteria ?? ANY
  const more = [sql`person`, sql`sum(${eventsColumn(series)}) as events`]
  const persons = byPairs(visits, numbers, criteria, more)
  return sql`select person, ${timesColumn(series)} as times, events from (${persons}) persons`
}

const SIGNS = { gte: '>=', lte: '<=', exact: '=' } as const

/** Supports any number of intervals, and criteria on the number of events in each. */
function byPairs(
  visits: Sql,
  numbers: readonly number[],
  { operator, value }: Criteria,
  more: readonly Sql[] = [],
): Sql {
  const isOnly = numbers.length === 1
  const counted = numbers.map((series) => {
    const count = isOnly ? sql`count(*)` : sql`count(*) filter (where ${matchColumn(series)})`
    return sql`${count} as ${eventsColumn(series)}`
  })
  const times = numbers.map((series) => {
    const isEnough = sql`${eventsColumn(series)} ${sql.raw(SIGNS[operator])} ${sql.lit(value)}`
    return sql`count(*) filter (where ${eventsColumn(series)} > 0 and ${isEnough}) as ${timesColumn(series)}`
  })
  return sql`select ${sql.join([...times, ...more])} from (
    select person, bucket, ${sql.join(counted)} from ${visits} group by person, bucket
  ) pairs group by person`
}
