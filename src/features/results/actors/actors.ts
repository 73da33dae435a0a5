import type { Caller } from '#server/access/guard.ts'
import type { Requester } from '#server/access/requester.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { ActorSet } from '#server/analytics/queries/actors.ts'
import type { Context } from '#server/analytics/queries/plan.ts'
import type { Db } from '#server/db/schema.ts'
import { cohortIdsIn, withCohorts } from '#server/features/events/cohorts/definitions.ts'
import { containsText, hasProperties } from '#server/features/events/persons/conditions.ts'
import type { PersonCondition } from '#server/features/events/persons/store.ts'
import { getQueryContext } from '#server/features/people/projects/query-context.ts'
import type { JsonText } from '#server/http/json-text.ts'
import { timeoutOf } from '../compute.ts'
import type { Overrides } from '../overrides.ts'
import type { QueryTurns } from '../query-turns.ts'
import { parseColumns, parseOrders } from './columns.ts'
import { type ActorSource, type ParsedActors, parseActors } from './parse-actors.ts'
import { toActorPageJson } from './representation.ts'
import { type ActorRun, type ActorSelection, listActorPage } from './store.ts'

export interface ActorDeps {
  readonly db: Db
  readonly events: EventStore
  readonly turns: QueryTurns
}

export interface ActorRequest {
  readonly query: object
  readonly overrides: Overrides
  readonly requester: Requester
  readonly signal: AbortSignal
}

const DEFAULT_LIMIT = 100

/** Lists the persons behind a number, or all persons. They are not cached: few ask for the same page twice. */
export function listActors(
  { db, events, turns }: ActorDeps,
  { projectId }: Caller,
  { query, overrides, requester, signal: allowed }: ActorRequest,
): Promise<JsonText> {
  const parsed = parseActors(query, overrides)
  const { source, attr, unreached } = parsed
  const { limit, offset, select, orderBy } = parsed.query
  const columns = parseColumns(select ?? ['actor'], source !== undefined, `${attr}__select`)
  const orders = parseOrders(orderBy ?? [], source !== undefined, `${attr}__orderBy`)
  const range = { limit: limit ?? DEFAULT_LIMIT, offset: offset ?? 0 }
  const signal = AbortSignal.any([allowed, requester.signal])
  return turns.run({ projectId, apiKey: requester.key, signal }, async () => {
    const run = { store: events, projectId, timeoutMs: timeoutOf(source?.source), signal }
    const context = await loadContext(db, projectId, parsed)
    const selection = { ...(await selectPersons(run, parsed, context)), orders }
    const page = await listActorPage(run, selection, range)
    return toActorPageJson({ ...page, ...range, columns, zone: context.zone, unreached })
  })
}

async function loadContext(
  db: Db,
  projectId: number,
  { query, source }: ParsedActors,
): Promise<Omit<Context, 'attr'>> {
  const context = await getQueryContext(db, projectId)
  const filters = [query.properties, query.fixedProperties, source?.source]
  const ids = cohortIdsIn([...filters, context.testAccountFilters])
  return ids.length === 0 ? context : withCohorts(db, projectId, context, ids)
}

async function selectPersons(
  run: ActorRun,
  { query, source, attr }: ParsedActors,
  context: Omit<Context, 'attr'>,
): Promise<Omit<ActorSelection, 'orders'>> {
  const filters = (['properties', 'fixedProperties'] as const).flatMap((key): PersonCondition[] =>
    query[key] ? [hasProperties(query[key], context, `${attr}__${key}`)] : [],
  )
  return {
    set: source && (await selectBehind(run, source, context)),
    properties: context.cohorts.properties,
    conditions: [...filters, ...(query.search ? [containsText(query.search)] : [])],
  }
}

async function selectBehind(
  run: ActorRun,
  { source, point, attr }: ActorSource,
  context: Omit<Context, 'attr'>,
): Promise<ActorSet> {
  const { compileActors } = await import('#server/analytics/queries/run-query.ts') // loads a hundred modules
  return compileActors(run, source, point, { ...context, attr })
}
