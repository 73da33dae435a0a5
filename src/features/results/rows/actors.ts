import { ActorsQuery } from '#model/actors/actors.schema.ts'
import { invalid } from '#server/errors.ts'
import type { FromQueryDeps } from '#server/features/events/cohorts/from-query.ts'
import { hasProperties, requireOfPersons } from '#server/features/events/person-rows/conditions.ts'
import { mentions } from '#server/features/events/person-rows/search.ts'
import type { PersonSql } from '#server/features/events/person-rows/store.ts'
import type { JsonText } from '#server/http/json-text.ts'
import { hasEffect } from '#server/http/require-understood.ts'
import { NO_OVERRIDES, type Overrides } from '../check/overrides.ts'
import { ACTOR_COLUMNS, PERSON_COLUMNS } from './actor-columns.ts'
import { toActorPageJson } from './actor-representation.ts'
import {
  type ActorRun,
  type ActorSelection,
  listActorMembers,
  listActorPage,
} from './actor-store.ts'
import { groupTypeOf, toGroupRows } from './groups.ts'
import { parseColumns, parseOrders } from './list-columns.ts'
import { hasKind, type ParsedActors, parseRowQuery, parseSource } from './parse-source.ts'
import { toPageRange, toRowSource } from './row-page.ts'
import { type RowContext, type RowDeps, type RowSource, runSource } from './run-source.ts'

/** Checks a query for the persons or groups behind a number, or for all persons. */
export function toActorRows(given: object, overrides: Overrides): RowSource<JsonText> {
  const parsed = parseActors(given, overrides)
  const { query, source, attr, notApplied } = parsed
  const groupType = groupTypeOf(source)
  if (groupType !== undefined) return toGroupRows(parsed, groupType)
  const range = toPageRange(query)
  const known = source ? ACTOR_COLUMNS : PERSON_COLUMNS
  const columns = parseColumns(known, query.select ?? ['actor'], `${attr}__select`)
  const orders = parseOrders(known, query.orderBy ?? [], `${attr}__orderBy`)
  const persons = selectPersons(parsed, (run, selection) =>
    listActorPage(run, { ...selection, orders }, range),
  )
  return toRowSource({ ...persons, attr, notApplied, range, columns, toJson: toActorPageJson })
}

/** Creates the function that finds the members of a static cohort by a query. */
export const createMemberFinder =
  (deps: RowDeps): FromQueryDeps['findQueryMembers'] =>
  (caller, { query, limit, requester, signal }) => {
    if (!hasKind('ActorsQuery', query)) {
      throw invalid('query__kind', 'Expected an ActorsQuery.')
    }
    const parsed = parseActors(query, NO_OVERRIDES)
    if (groupTypeOf(parsed.source) !== undefined) {
      throw invalid(`${parsed.attr}__source`, 'The query counts groups. A cohort has persons.')
    }
    const members = selectPersons(parsed, (run, selection) =>
      listActorMembers(run, selection, limit),
    )
    return runSource(deps, caller, members, { requester, signal })
  }

const FILTERS = ['properties', 'fixedProperties'] as const

function parseActors(given: object, overrides: Overrides): ParsedActors {
  const { query, attr } = parseRowQuery<ActorsQuery>(ActorsQuery, given)
  for (const key of FILTERS) {
    if (query[key]) requireOfPersons(query[key], `${attr}__${key}`)
  }
  const found = hasEffect(query.source)
    ? parseSource(query.source, `${attr}__source`, overrides)
    : { source: undefined, notApplied: [] }
  return { query, attr, ...found }
}

function selectPersons<Result>(
  { query, source, attr }: ParsedActors,
  read: (run: ActorRun, selection: ActorSelection) => Promise<Result>,
): RowSource<Result> {
  const toConditions = (context: RowContext): PersonSql[] => [
    ...FILTERS.flatMap((key) =>
      query[key] ? [hasProperties(query[key], context, `${attr}__${key}`)] : [],
    ),
    ...(query.search ? [mentions(query.search)] : []),
  ]
  return {
    source,
    filters: FILTERS.map((key) => query[key]),
    createReader(context) {
      const conditions = toConditions(context)
      const { properties } = context.cohorts
      return (run, set) => read(run, { set, properties, conditions })
    },
  }
}
