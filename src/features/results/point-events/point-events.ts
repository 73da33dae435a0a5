import type { Caller } from '#server/access/guard.ts'
import type { ActorSet } from '#server/analytics/queries/actors.ts'
import { invalid } from '#server/errors.ts'
import { withNamedCohorts } from '#server/features/events/cohorts/definitions.ts'
import { getQueryContext } from '#server/features/people/projects/query-context.ts'
import { type JsonText, jsonWriter } from '#server/http/json-text.ts'
import {
  type ActorDeps,
  type ActorRequest,
  compileSource,
  inTurn,
} from '../actors/compile-source.ts'
import type { ActorSource } from '../actors/parse-source.ts'
import { type RowPage, rowPageFields } from '../row-page.ts'
import { type PointEvent, parseEventColumns } from './columns.ts'
import { parseEvents } from './parse-events.ts'
import { type EventSet, listEventPage } from './store.ts'

const DEFAULT_LIMIT = 100

/** Lists the events behind a number. Pages are not cached, because few are requested twice. */
export function listPointEvents(
  deps: ActorDeps,
  caller: Caller,
  { query, overrides, requester, signal }: ActorRequest,
): Promise<JsonText> {
  const { source, attr, unreached, isOldestFirst, ...parsed } = parseEvents(query, overrides)
  const { limit, offset, select } = parsed.query
  const columns = parseEventColumns(select ?? ['*'], `${attr}__select`)
  const range = { limit: limit ?? DEFAULT_LIMIT, offset: offset ?? 0 }
  return inTurn(deps, caller, { source, requester, signal }, async (run) => {
    const settings = await getQueryContext(deps.db, caller.projectId)
    const named = [settings.testAccountFilters, source.source]
    const context = await withNamedCohorts(deps.db, caller.projectId, settings, named)
    const compiled = await compileSource(run, source, context)
    const set = requireEvents(compiled, source, context.cohorts.properties)
    const page = await listEventPage(run, set, { ...range, isOldestFirst })
    return toEventPageJson({ ...page, ...range, columns, zone: context.zone, unreached })
  })
}

const toEventPageJson = jsonWriter<RowPage<PointEvent>>(rowPageFields<PointEvent>())

/** Refuses kinds whose numbers do not count single events. */
function requireEvents(
  { toEvents, ...set }: ActorSet,
  { source: { kind }, attr }: ActorSource,
  properties: readonly string[],
): EventSet {
  if (toEvents) {
    return { ...set, toEvents, properties: [...new Set([...set.properties, ...properties])] }
  }
  throw invalid(
    `${attr}__kind`,
    `The events behind a ${kind} cannot be listed, only its persons.`,
    'invalid_choice',
  )
}
