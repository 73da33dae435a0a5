import { sql } from 'kysely'
import type { PathsFilter, PathsQuery } from '#model/query-kinds/paths.schema.ts'
import type { EventTable, Sql } from '#server/analytics/event-table.ts'
import { invalid } from '#server/errors.ts'
import type { ActorSet, InsightPoint } from '../actors.ts'
import { and } from '../filters.ts'
import type { Context } from '../plan.ts'
import { placeVisits, requirePaths, selectPathSteps } from './compile.ts'
import { groupNames, isIncluded, textLiteral } from './name-steps.ts'

/** Selects the persons who took a link, came to a step or went no further, with the number of times. */
export function selectPathsQueryActors(
  query: PathsQuery,
  _point: InsightPoint,
  context: Context,
): ActorSet {
  const isChosen = chooseVisits(query.pathsFilter ?? {}, `${context.attr}__pathsFilter`)
  return {
    ...requirePaths(query, context),
    toSql: (table) => sql`with ${sql.join(placeVisits(table, query, context))}
      select person, count(*) as events from places where ${isChosen} group by person`,
    toEvents: (table) => selectVisitEvents(table, query, context, isChosen),
  }
}

/** Selects the event of each chosen visit: where a link leads. Of several at the same moment, one counts. */
function selectVisitEvents(
  table: EventTable,
  query: PathsQuery,
  context: Context,
  isChosen: Sql,
): Sql {
  const filter = query.pathsFilter ?? {}
  return sql`with ${sql.join(placeVisits(table, query, context))},
    chosen as (
      select person, ms, target as name from places where ${isChosen})
    select min(called.uuid::text) as uuid, chosen.ms as ms
    from chosen join (
      select person, ms, uuid, ${groupNames(table, filter)} as name
      from (${selectPathSteps(table, query, context, [sql`e.uuid`])}) steps where ${isIncluded(filter)}
    ) called on called.person = chosen.person and called.ms = chosen.ms and called.name = chosen.name
    group by chosen.person, chosen.ms, chosen.name`
}

function chooseVisits(filter: PathsFilter, attr: string): Sql {
  const from = parseStep(filter, 'pathStartKey', attr)
  const to = parseStep(filter, 'pathEndKey', attr)
  const last = parseStep(filter, 'pathDropoffKey', attr)
  if (from && to && from.place + 1 !== to.place) {
    throw invalid(`${attr}__pathEndKey`, 'A link ends at the step after the one it starts from.')
  }
  return and([
    sql`place is not null`,
    ...(from ? [sql`place = ${sql.lit(from.place + 1)} and source = ${from.name}`] : []),
    ...(to ? [sql`place = ${sql.lit(to.place)} and target = ${to.name}`] : []),
    ...(last ? [sql`place = ${sql.lit(last.place)} and target = ${last.name} and ends`] : []),
  ])
}

interface Step {
  /** From 1. */
  readonly place: number
  readonly name: Sql
}

function parseStep(
  filter: PathsFilter,
  field: 'pathStartKey' | 'pathEndKey' | 'pathDropoffKey',
  attr: string,
): Step | undefined {
  const key = filter[field]
  if (!key) return undefined
  const [, place, name] = /^(\d{1,3})_(.*)$/s.exec(key) ?? []
  if (place === undefined || name === undefined) {
    throw invalid(`${attr}__${field}`, 'Write a step as in the result: 2_/pricing.')
  }
  return { place: Number(place), name: textLiteral(name) }
}
