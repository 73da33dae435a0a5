import type { Caller } from '#server/access/guard.ts'
import type { ActorSet } from '#server/analytics/queries/actors.ts'
import { invalid } from '#server/errors.ts'
import { type JsonText, jsonWriter } from '#server/http/json-text.ts'
import {
  type ActorDeps,
  type ActorRequest,
  compileSource,
  inSlot,
  loadContext,
} from './compile-source.ts'
import { EVENT_COLUMNS } from './event-columns.ts'
import { type EventSet, listEventPage } from './event-store.ts'
import { parseColumns } from './list-columns.ts'
import { parseEvents } from './parse-events.ts'
import type { ActorSource } from './parse-source.ts'
import { type RowPage, rowPageFields, writeRows } from './row-page.ts'

const DEFAULT_LIMIT = 100

/** Lists the events behind a number. Pages are not cached, because few are requested twice. */
export function listPointEvents(
  deps: ActorDeps,
  caller: Caller,
  { query, overrides, requester, signal }: ActorRequest,
): Promise<JsonText> {
  const { source, attr, unreached, isOldestFirst, ...parsed } = parseEvents(query, overrides)
  const { limit, offset, select } = parsed.query
  const columns = parseColumns(EVENT_COLUMNS, select ?? ['*'], `${attr}__select`)
  const range = { limit: limit ?? DEFAULT_LIMIT, offset: offset ?? 0 }
  return inSlot(deps, caller, { source, requester, signal }, async (run) => {
    const context = await loadContext(deps, caller, source)
    const set = requireEvents(await compileSource(run, source, context), source)
    const page = await listEventPage(run, set, { ...range, isOldestFirst })
    const rows = await writeRows(page.rows, columns, attr)
    return toEventPageJson({ ...page, rows, ...range, columns, zone: context.zone, unreached })
  })
}

const toEventPageJson = jsonWriter<RowPage>(rowPageFields)

/** Refuses kinds whose numbers do not count single events. */
function requireEvents(
  { toEvents, ...set }: ActorSet,
  { source: { kind }, attr }: ActorSource,
): EventSet {
  if (toEvents) return { ...set, toEvents }
  throw invalid(
    `${attr}__kind`,
    `The events behind a ${kind} cannot be listed, only its persons.`,
    'invalid_choice',
  )
}
