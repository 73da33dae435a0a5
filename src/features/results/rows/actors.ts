import type { Caller } from '#server/access/guard.ts'
import type { Context } from '#server/analytics/queries/plan.ts'
import { invalid } from '#server/errors.ts'
import type { FromQueryDeps } from '#server/features/events/cohorts/from-query.ts'
import { hasProperties } from '#server/features/events/person-rows/conditions.ts'
import { containsText } from '#server/features/events/person-rows/search.ts'
import type { PersonCondition } from '#server/features/events/person-rows/store.ts'
import type { JsonText } from '#server/http/json-text.ts'
import { NO_OVERRIDES } from '../check/overrides.ts'
import { ACTOR_COLUMNS, PERSON_COLUMNS } from './actor-columns.ts'
import { toActorPageJson } from './actor-representation.ts'
import {
  type ActorRun,
  type ActorSelection,
  listActorMembers,
  listActorPage,
} from './actor-store.ts'
import {
  type ActorDeps,
  type ActorRequest,
  compileSource,
  inSlot,
  loadContext,
} from './compile-source.ts'
import { groupTypeOf, listGroupActors } from './group-actors.ts'
import { parseColumns, parseOrders } from './list-columns.ts'
import { isActorsQuery, type ParsedActors, parseActors } from './parse-actors.ts'
import { writeRows } from './row-page.ts'

const DEFAULT_LIMIT = 100

/** Lists the persons or groups behind a number, or all persons. Pages are not cached: few are requested twice. */
export function listActors(
  deps: ActorDeps,
  caller: Caller,
  { query, overrides, requester, signal }: ActorRequest,
): Promise<JsonText> {
  const parsed = parseActors(query, overrides)
  const { source, attr, unreached } = parsed
  const { limit, offset, select, orderBy } = parsed.query
  const range = { limit: limit ?? DEFAULT_LIMIT, offset: offset ?? 0 }
  const groupType = source && groupTypeOf(source)
  if (source && groupType !== undefined) {
    const behind = { ...parsed, source, groupType }
    return listGroupActors(deps, caller, { parsed: behind, range, requester, signal })
  }
  const known = source ? ACTOR_COLUMNS : PERSON_COLUMNS
  const columns = parseColumns(known, select ?? ['actor'], `${attr}__select`)
  const orders = parseOrders(known, orderBy ?? [], `${attr}__orderBy`)
  return withSelection(
    deps,
    caller,
    { parsed, requester, signal },
    async (run, selection, zone) => {
      const { actors, hasMore } = await listActorPage(run, { ...selection, orders }, range)
      const rows = await writeRows(actors, columns, attr)
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
    if (parsed.source && groupTypeOf(parsed.source) !== undefined) {
      throw invalid(`${parsed.attr}__source`, 'The query counts groups. A cohort has persons.')
    }
    return withSelection(deps, caller, { parsed, requester, signal }, (run, selection) =>
      listActorMembers(run, selection, limit),
    )
  }

interface Selecting extends Pick<ActorRequest, 'requester' | 'signal'> {
  readonly parsed: ParsedActors
}

/** Compiles and runs the selection of persons in a query slot of the caller's key. */
function withSelection<T>(
  deps: ActorDeps,
  caller: Caller,
  { parsed, requester, signal }: Selecting,
  read: (run: ActorRun, selection: ActorSelection, zone: string) => Promise<T>,
): Promise<T> {
  return inSlot(deps, caller, { source: parsed.source, requester, signal }, async (run) => {
    const { query, source } = parsed
    const filters = [query.properties, query.fixedProperties]
    const context = await loadContext(deps, caller, source, filters)
    return read(run, await selectPersons(run, parsed, context), context.zone)
  })
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
