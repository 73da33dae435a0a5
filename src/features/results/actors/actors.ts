import type { Caller } from '#server/access/guard.ts'
import type { Context } from '#server/analytics/queries/plan.ts'
import type { Db } from '#server/db/schema.ts'
import { invalid } from '#server/errors.ts'
import { withNamedCohorts } from '#server/features/events/cohorts/definitions.ts'
import type { FromQueryDeps } from '#server/features/events/cohorts/from-query.ts'
import { containsText, hasProperties } from '#server/features/events/persons/conditions.ts'
import type { PersonCondition } from '#server/features/events/persons/store.ts'
import { getQueryContext } from '#server/features/people/projects/query-context.ts'
import type { JsonText } from '#server/http/json-text.ts'
import { NO_OVERRIDES } from '../overrides.ts'
import { parseColumns, parseOrders } from './columns.ts'
import { type ActorDeps, type ActorRequest, compileSource, inTurn } from './compile-source.ts'
import { isActorsQuery, type ParsedActors, parseActors } from './parse-actors.ts'
import { toActorPageJson } from './representation.ts'
import { type ActorRun, type ActorSelection, listActorMembers, listActorPage } from './store.ts'

const DEFAULT_LIMIT = 100

/** Lists the persons behind a number, or all persons. Pages are not cached, because few are requested twice. */
export function listActors(
  deps: ActorDeps,
  caller: Caller,
  { query, overrides, requester, signal }: ActorRequest,
): Promise<JsonText> {
  const parsed = parseActors(query, overrides)
  const { source, attr, unreached } = parsed
  const { limit, offset, select, orderBy } = parsed.query
  const columns = parseColumns(select ?? ['actor'], source !== undefined, `${attr}__select`)
  const orders = parseOrders(orderBy ?? [], source !== undefined, `${attr}__orderBy`)
  const range = { limit: limit ?? DEFAULT_LIMIT, offset: offset ?? 0 }
  return withSelection(
    deps,
    caller,
    { parsed, requester, signal },
    async (run, selection, zone) => {
      const { actors: rows, hasMore } = await listActorPage(run, { ...selection, orders }, range)
      return toActorPageJson({ rows, hasMore, ...range, columns, zone, unreached })
    },
  )
}

/** Creates the function that finds the members of a static cohort by a query. */
export const createMemberFinder =
  (deps: ActorDeps): FromQueryDeps['findQueryMembers'] =>
  (caller, { query, limit, requester, signal }) => {
    if (!isActorsQuery(query)) throw invalid('query__kind', 'Expected an ActorsQuery.')
    const parsed = parseActors(query, NO_OVERRIDES)
    return withSelection(deps, caller, { parsed, requester, signal }, (run, selection) =>
      listActorMembers(run, selection, limit),
    )
  }

interface Selecting extends Pick<ActorRequest, 'requester' | 'signal'> {
  readonly parsed: ParsedActors
}

/** Compiles the selection of the persons in a turn of the caller's key, and reads them. */
function withSelection<T>(
  deps: ActorDeps,
  caller: Caller,
  { parsed, requester, signal }: Selecting,
  read: (run: ActorRun, selection: ActorSelection, zone: string) => Promise<T>,
): Promise<T> {
  return inTurn(deps, caller, { source: parsed.source, requester, signal }, async (run) => {
    const context = await loadContext(deps.db, caller.projectId, parsed)
    return read(run, await selectPersons(run, parsed, context), context.zone)
  })
}

async function loadContext(
  db: Db,
  projectId: number,
  { query, source }: ParsedActors,
): Promise<Omit<Context, 'attr'>> {
  const context = await getQueryContext(db, projectId)
  const filters = [query.properties, query.fixedProperties, context.testAccountFilters]
  return withNamedCohorts(db, projectId, context, [...filters, source?.source])
}

async function selectPersons(
  run: ActorRun,
  { query, source, attr }: ParsedActors,
  context: Omit<Context, 'attr'>,
): Promise<ActorSelection> {
  const filters = (['properties', 'fixedProperties'] as const).flatMap((key): PersonCondition[] =>
    query[key] ? [hasProperties(query[key], context, `${attr}__${key}`)] : [],
  )
  return {
    set: source && (await compileSource(run, source, context)),
    properties: context.cohorts.properties,
    conditions: [...filters, ...(query.search ? [containsText(query.search)] : [])],
  }
}

