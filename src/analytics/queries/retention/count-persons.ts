import { sql } from 'kysely'
import type { ResolvedEntity, RetentionQuery } from '#model/query-kinds/retention.schema.ts'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { selectActorEvents, toInterval } from '../actors.ts'
import { toBucketIndex } from '../bucket-index.ts'
import { inParts, isCounted, toCounted, toParts } from '../counted.ts'
import { isInRange, type TimeRange, toTime } from '../dates.ts'
import { and, matchesNode } from '../filters.ts'
import { hasBit, listMaskNames, maskColumns, toBucketsTable } from '../interval-masks.ts'
import { type Context, matchesCommonFilters } from '../plan.ts'

export interface Retention {
  readonly query: RetentionQuery
  readonly range: TimeRange
  readonly target: ResolvedEntity
  readonly returning: ResolvedEntity
  readonly isFirstTime: boolean
  readonly isCumulative: boolean
}

/**
 * Selects rows of cohort, period and persons. A cohort's own period counts all of its persons, with or without returning
 * events. Persons with equal masks are grouped first, so that few rows are left to join.
 */
export function countReturningPersons(
  table: EventTable,
  retention: Retention,
  context: Context,
): Sql {
  const size = retention.range.buckets.length
  const { cohort, comeback } = toRules(retention)
  const names = [...cohort.names, ...comeback.names]
  const kept = sql.join(names.map((name) => sql.ref(name)))
  const isSelf = names.map((name) => sql`${sql.ref(`c.${name}`)} = ${sql.ref(`p.${name}`)}`)
  const parts = inParts(
    toParts(table, retention.query.aggregation_group_type_index),
    (isInPart) => sql`select ${kept}, count(*) as persons
      from (${selectPersons(table, retention, context, { isInPart })}) persons
      where ${cohort.isAny} group by ${kept}`,
  )
  return sql`with alike as materialized (
    select ${kept}, sum(persons) as persons from (${parts}) parts group by ${kept}
  ), cohorts as materialized (
    select ${kept}, persons, b.bucket from alike cross join ${toBucketsTable(size, 'b')} where ${cohort.holds}
  ), comebacks as (
    select ${kept}, b.bucket from alike cross join ${toBucketsTable(size, 'b')} where ${comeback.holds}
  )
  select bucket::bigint as cohort, bucket::bigint as period, sum(persons)::bigint as persons
  from cohorts group by bucket
  union all
  select c.bucket::bigint, p.bucket::bigint, sum(c.persons)::bigint
  from cohorts c join comebacks p on ${and(isSelf)} and p.bucket > c.bucket
  group by c.bucket, p.bucket`
}

/** A cell of the table: a cohort, and the period in which its persons came back. */
export interface RetentionCell {
  readonly cohort: number
  readonly period: number
}

/** Selects who belongs to a cohort and came back in a period, with the person's events of that period. */
export function selectReturningPersons(
  table: EventTable,
  retention: Retention,
  { cohort, period }: RetentionCell,
  context: Context,
): Sql {
  const rules = toRules(retention)
  const size = retention.range.buckets.length
  const isOwn = cohort === period // counts all of its persons, with or without returning events
  const isSame = isOwn ? sql`is_target` : sql`is_returning`
  const sign = sql.raw(!isOwn && retention.isCumulative ? '>=' : '=')
  const events = sql`count(*) filter (where ${isSame} and bucket ${sign} ${sql.lit(period)}) as events`
  const inCohort = sql`select persons.* from (${selectPersons(table, retention, context, { more: [events] })}) persons
    cross join ${toBucketsTable(size, 'b', [cohort])} where ${rules.cohort.holds}`
  return isOwn
    ? sql`select person, events from (${inCohort}) members`
    : sql`select person, events from (${inCohort}) members
        cross join ${toBucketsTable(size, 'b', [period])} where ${rules.comeback.holds}`
}

/** Selects the events of the persons of a cell that count in its period. */
export function selectReturningEvents(
  table: EventTable,
  retention: Retention,
  cell: RetentionCell,
  context: Context,
): Sql {
  const { query, range, isCumulative } = retention
  const isOwn = cell.cohort === cell.period
  const interval = toInterval(range, cell.period)
  const type = query.aggregation_group_type_index
  return selectActorEvents(table, {
    actors: selectReturningPersons(table, retention, cell, context),
    counted: toCounted(table, type),
    where: [
      isInRange(!isOwn && isCumulative ? { ...interval, to: range.to } : interval),
      isOwn
        ? matchesEntity(table, retention.target, 'target', context)
        : matchesEntity(table, retention.returning, 'returning', context),
      ...isCounted(table, type),
      matchesCommonFilters(table, query, context),
    ],
  })
}

/** Selects what is kept of each person. */
function selectPersons(
  table: EventTable,
  retention: Retention,
  context: Context,
  { more = [], isInPart = sql`true` }: { more?: readonly Sql[]; isInPart?: Sql },
): Sql {
  const { cohort, comeback } = toRules(retention)
  return sql`select person, ${sql.join([...cohort.columns, ...comeback.columns, ...more])}
    from ${selectVisits(table, retention, context, isInPart)} group by person`
}

function toRules(retention: Retention): { readonly cohort: Rule; readonly comeback: Rule } {
  const size = retention.range.buckets.length
  return { cohort: toCohortRule(retention, size), comeback: toComebackRule(retention, size) }
}

/** The columns kept of each person, and conditions on them for the period `b` and for any period. */
interface Rule {
  readonly columns: readonly Sql[]
  readonly names: readonly string[]
  readonly holds: Sql
  readonly isAny: Sql
}

function toCohortRule(retention: Retention, size: number): Rule {
  if (!retention.isFirstTime) {
    return toMaskRule('target', size, isSameEntity(retention) ? undefined : sql`is_target`)
  }
  return {
    columns: [sql`coalesce(min(case when is_target then bucket end), -1) as first`],
    names: ['first'],
    holds: sql`first = b.bucket`,
    isAny: sql`first >= 0`,
  }
}

function toComebackRule(retention: Retention, size: number): Rule {
  const { isFirstTime, isCumulative } = retention
  if (isCumulative) {
    return {
      columns: [sql`coalesce(max(case when is_returning then bucket end), -1) as last`],
      names: ['last'],
      holds: sql`last >= b.bucket`,
      isAny: sql`last >= 0`,
    }
  }
  if (isFirstTime) return toMaskRule('returning', size, sql`is_returning and bucket >= 0`)
  if (!isSameEntity(retention)) return toMaskRule('returning', size, sql`is_returning`)
  return { ...toMaskRule('target', size), columns: [], names: [] }
}

function toMaskRule(name: string, size: number, condition?: Sql): Rule {
  const names = listMaskNames(name, size)
  return {
    columns: maskColumns(name, size, condition),
    names,
    holds: hasBit(name, size, 'b'),
    isAny: sql`(${sql.join(
      names.map((each) => sql`${sql.ref(each)} <> 0`),
      sql` or `,
    )})`,
  }
}

/** Usually target and returning entity are the same; then one mask is enough. */
const isSameEntity = ({ target, returning }: Retention): boolean =>
  toText(target) === toText(returning)

const toText = ({ id, rules, properties }: ResolvedEntity): string =>
  JSON.stringify([id || null, rules ?? [], properties ?? []])

/** Selects what each person did in each period; -1 is all the time before the first. */
function selectVisits(
  table: EventTable,
  retention: Retention,
  context: Context,
  isInPart: Sql,
): Sql {
  const { query, range, isFirstTime } = retention
  const type = query.aggregation_group_type_index
  const isTarget = matchesEntity(table, retention.target, 'target', context)
  const isReturning = matchesEntity(table, retention.returning, 'returning', context)
  const since = sql`e.timestamp >= ${toTime(range.from)}::timestamptz`
  const bucket = toBucketIndex(table, range)
  const isComeback = isFirstTime ? sql`(${isReturning} and ${since})` : isReturning
  const conditions = [
    sql`e.timestamp < ${toTime(range.to)}::timestamptz`,
    ...(isFirstTime ? [] : [since]),
    isSameEntity(retention) ? isTarget : sql`(${isTarget} or ${isComeback})`,
    ...isCounted(table, type),
    matchesCommonFilters(table, query, context),
    isInPart,
  ]
  return sql`(
    select ${toCounted(table, type)} as person, ${isTarget} as is_target, ${isReturning} as is_returning,
      ${isFirstTime ? sql`case when ${since} then ${bucket} else -1 end` : bucket} as bucket
    from ${table.rows} e where ${and(conditions)} ${table.strategy.fence}
  ) doings`
}

const matchesEntity = (
  table: EventTable,
  { id, rules, properties }: ResolvedEntity,
  role: 'target' | 'returning',
  context: Context,
): Sql =>
  matchesNode(
    table,
    { event: id ?? null, rules, properties },
    context,
    `${context.attr}__retentionFilter__${role}Entity`,
  )
