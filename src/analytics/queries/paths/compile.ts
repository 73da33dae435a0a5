import { sql } from 'kysely'
import type { PathsFilter, PathsQuery } from '#model/query-kinds/paths.schema.ts'
import type { PathLink } from '#model/query-results.ts'
import type {
  EventTable,
  RequiredColumns,
  Sql,
  StatementRow,
} from '#server/analytics/event-table.ts'
import { type ColumnRef, toRequired } from '../columns.ts'
import { isInRange } from '../dates.ts'
import { and } from '../filters.ts'
import { resolveRange } from '../periods.ts'
import { type Context, commonColumns, matchesCommonFilters, type Plan, toNumber } from '../plan.ts'
import {
  groupNames,
  isIncluded,
  isPathStep,
  stepColumns,
  textLiteral,
  toPathStepName,
  toStepEvents,
} from './name-steps.ts'
import { orderVisits, toOrder } from './order-visits.ts'

const DEFAULT_EDGES = 50
/** A pause of this length starts a new session. */
const SESSION_PAUSE_MS = 30 * 60_000

/** Counts the links between consecutive steps: select visits, order them within sessions, count links. */
export function compilePathsQuery(query: PathsQuery, context: Context): Plan<readonly PathLink[]> {
  const filter = query.pathsFilter ?? {}
  return {
    ...requirePaths(query, context),
    statements: [
      (table) =>
        sql`with ${sql.join(placeVisits(table, query, context))} ${selectLinks(table, filter)}`,
    ],
    toResult: async ([rows = []]) => rows.map(toLink),
  }
}

/** Lists what statements over the paths read. */
export const requirePaths = (query: PathsQuery, context: Context): RequiredColumns =>
  toRequired(listColumns(query, context), resolveRange({ dateRange: query.dateRange }, context))

const listColumns = (query: PathsQuery, context: Context): ColumnRef[] => [
  ...commonColumns(query, context),
  ...stepColumns(query.pathsFilter ?? {}),
]

/** Adds CTEs that end in `places`: the visits at the places of their paths. */
export const placeVisits = (table: EventTable, query: PathsQuery, context: Context): Sql[] => [
  ...selectVisits(table, query, context),
  ...orderVisits(table, query.pathsFilter ?? {}),
]

/**
 * Adds the CTE `visits`: each person's steps without repeats, and whether a session begins with one. Simultaneous steps
 * are sorted by name. Sessions of one step, which are common and lead nowhere, are dropped.
 */
function selectVisits(table: EventTable, query: PathsQuery, context: Context): Sql[] {
  const filter = query.pathsFilter ?? {}
  const begins = sql`(before is null or ms - before >= ${sql.lit(SESSION_PAUSE_MS)})`
  const ends = sql`(after is null or after - ms >= ${sql.lit(SESSION_PAUSE_MS)})`
  return [
    sql`steps as (
      select person, ms, ${groupNames(table, filter)} as name
      from (${selectPathSteps(table, query, context)}) called where ${isIncluded(filter)})`,
    sql`compared as (
      select person, ms, name, lag(ms) over in_order as before, lead(ms) over in_order as after,
        lag(name) over in_order as name_before
      from steps where ${passesPoints(filter)} window in_order as (${toOrder(table)}))`,
    sql`visits as (
      select person, ms, name, ${begins} as begins from compared
      where case when ${begins} then not ${ends} else name <> name_before end)`,
  ]
}

/** Selects `person`, `ms` and the `name` of each step before names are grouped, and more columns of `e`. */
export function selectPathSteps(
  table: EventTable,
  query: PathsQuery,
  context: Context,
  more: readonly Sql[] = [],
): Sql {
  const range = resolveRange({ dateRange: query.dateRange }, context)
  const steps = toStepEvents(query.pathsFilter ?? {}, context)
  const columns = [
    // not the bare column: PostgreSQL would read all rows in the order of its index instead of sorting in several processes
    sql`e.person + 0 as person`,
    sql`${table.milliseconds} as ms`,
    sql`${toPathStepName(table, steps)} as name`,
    ...more,
  ]
  const conditions = [
    isInRange(range),
    isPathStep(table, steps),
    matchesCommonFilters(table, query, context),
  ]
  return sql`select ${sql.join(columns)} from ${table.rows} e where ${and(conditions)}`
}

/** Keeps only persons who visited the start and the end. */
const passesPoints = ({ startPoint, endPoint }: PathsFilter): Sql =>
  and(
    [startPoint, endPoint]
      .filter((point) => point !== undefined && point !== null && point !== '')
      .map(
        (point) =>
          sql`person in (select person from steps where name = ${textLiteral(point as string)})`,
      ),
  )

function selectLinks(table: EventTable, filter: PathsFilter): Sql {
  const { edgeLimit, minEdgeWeight, maxEdgeWeight } = filter
  const weights = [
    ...(minEdgeWeight ? [sql`count(*) >= ${sql.lit(minEdgeWeight)}`] : []),
    ...(maxEdgeWeight ? [sql`count(*) <= ${sql.lit(maxEdgeWeight)}`] : []),
  ]
  const step = (place: Sql, name: Sql) => sql`(${place})::text || '_' || ${name}`
  const source = step(sql`place - 1`, sql`links.source`)
  const target = step(sql`place`, sql`links.target`)
  return sql`
    select ${source} as source, ${target} as target, persons, total
    from (
      select place, source, target, count(*) as persons, sum(taken)::double precision as total
      from places where place > 1 group by place, source, target having ${and(weights)}
    ) links
    order by persons desc, ${table.sortable(source)}, ${table.sortable(target)}
    limit ${sql.lit(edgeLimit ?? DEFAULT_EDGES)}`
}

const toLink = ({ source, target, persons, total }: StatementRow): PathLink => ({
  source: String(source),
  target: String(target),
  value: Number(persons),
  average_conversion_time: toNumber(Number(total) / Number(persons)),
})
