import { sql } from 'kysely'
import type {
  CommonFields,
  Properties,
  PropertyFilter,
  PropertyGroup,
} from '#model/query-kinds/common.schema.ts'
import type { EventTable, RequiredColumns, Sql } from '#server/analytics/event-table.ts'
import {
  type FieldName,
  isBounce,
  propertiesOf,
  selectSessions,
} from '#server/analytics/sessions/select-sessions.ts'
import {
  onSessions,
  propertiesOfSessions,
  sessionFields,
} from '#server/analytics/sessions/with-sessions.ts'
import { invalid } from '#server/errors.ts'
import { eventProperty, toRequired } from '../columns.ts'
import type { TimeRange } from '../dates.ts'
import { and, columnsIn, matches, matchesOne } from '../filters.ts'
import type { Context } from '../plan.ts'

/** A filter or a group of filters, and its place in error messages. */
interface Located {
  readonly condition: PropertyFilter | PropertyGroup
  readonly attr: string
}

/** The visits of a query of web analytics: sessions that began in its range and have a view that its filters match. */
export interface Visits {
  readonly ofEvents: readonly Located[]
  readonly ofSessions: readonly Located[]
  readonly context: Context
}

/**
 * Parses the filters. Those of sessions are compared once for each session, the others with each view, so an OR of both
 * is refused.
 */
export function parseVisits(query: CommonFields, context: Context): Visits {
  const all = [
    ...listConditions(query.properties, `${context.attr}__properties`),
    ...(query.filterTestAccounts
      ? listConditions(context.testAccountFilters, 'test_account_filters')
      : []),
  ]
  const [ofSessions, ofEvents] = [true, false].map((isWanted) =>
    all.filter((located) => isOfSessions(located) === isWanted),
  ) as [Located[], Located[]]
  return { ofEvents, ofSessions, context }
}

const isList = (properties: Properties): properties is readonly PropertyFilter[] =>
  Array.isArray(properties)

/** Lists the conditions that must all be met. */
function listConditions(properties: Properties | null | undefined, attr: string): Located[] {
  if (!properties) return []
  if (isList(properties)) {
    return properties.map((condition, index) => ({ condition, attr: `${attr}__${index}` }))
  }
  if (properties.type === 'OR') return [{ condition: properties, attr }]
  return properties.values.flatMap((condition, index) => {
    const at = `${attr}__values__${index}`
    return 'values' in condition ? listConditions(condition, at) : [{ condition, attr: at }]
  })
}

function isOfSessions({ condition, attr }: Located): boolean {
  const types = 'values' in condition ? typesIn(condition) : [condition.type]
  const count = types.filter((type) => type === 'session').length
  if (count === 0 || count === types.length) return count > 0
  throw invalid(attr, 'Properties of sessions and others cannot be alternatives here.')
}

const typesIn = ({ values }: PropertyGroup): unknown[] =>
  values.flatMap((each) => ('values' in each ? typesIn(each) : [each.type]))

const toProperties = ({ condition }: Located): Properties =>
  'values' in condition ? condition : [condition]

/** Matches `e` or the session `s`. */
const matchesAll = (table: EventTable, all: readonly Located[], context: Context): Sql =>
  and(
    all.map(({ condition, attr }) =>
      'values' in condition
        ? matches(table, condition, context, attr)
        : matchesOne(table, condition, context, attr),
    ),
  )

/** Lists what a selection of visits with these fields reads. */
export function requireVisits(
  { ofEvents, ofSessions }: Visits,
  fields: readonly FieldName[],
): RequiredColumns {
  const keys = ofSessions.flatMap((each) => columnsIn(toProperties(each)).map(({ key }) => key))
  const ofVisits = ['$session_id', ...propertiesOf(fields), ...propertiesOfSessions(keys)]
  return toRequired([
    ...ofEvents.flatMap((each) => columnsIn(toProperties(each))),
    ...ofVisits.map(eventProperty),
  ])
}

/** Selects each visit of a range with fields: `s.visitor` is the number of its person, `s.hits` its views. */
export function selectVisits(
  table: EventTable,
  { ofEvents, ofSessions, context }: Visits,
  range: TimeRange,
  fields: readonly FieldName[],
): Sql {
  const keys = ofSessions.flatMap((each) => columnsIn(toProperties(each)).map(({ key }) => key))
  const all = [
    ...new Set<FieldName>(['visitor', 'hits', 'first_ms', ...fields, ...sessionFields(keys)]),
  ]
  const isHit = and([
    sql`e.event in ('$pageview', '$screen')`,
    matchesAll(table, ofEvents, context),
  ])
  const sessions = selectSessions(table, all, { span: range, isHit })
  const isWanted = and([
    sql`s.hits > 0`,
    sql`s.first_ms >= ${sql.lit(range.from * 1000)} and s.first_ms < ${sql.lit(range.to * 1000)}`,
    matchesAll(onSessions(table), ofSessions, context),
  ])
  return sql`select s.* from (${sessions}) s where ${isWanted}`
}

/** The fields that tell whether a visit is a bounce. */
export const BOUNCE_FIELDS: readonly FieldName[] = ['views', 'screens', 'clicks', 'seconds']

/** Counts the visits `s` with `BOUNCE_FIELDS` that saw one page and ended quickly. */
export const bounces: Sql = sql`sum(case when ${isBounce} then 1 else 0 end)`
