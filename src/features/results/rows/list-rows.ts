import { unwrapQuery } from '#model/query-node.ts'
import type { Caller } from '#server/access/guard.ts'
import type { Requester } from '#server/access/requester.ts'
import type { JsonText } from '#server/http/json-text.ts'
import type { Overrides } from '../check/overrides.ts'
import { toActorRows } from './actors.ts'
import { toEventRows } from './events.ts'
import { type RowDeps, type RowSource, runSource } from './run-source.ts'

interface RowRequest {
  readonly query: object
  readonly overrides: Overrides
  readonly requester: Requester
  readonly signal: AbortSignal
}

/** Parses the queries that list rows, by kind. */
const LISTS = new Map<unknown, (query: object, overrides: Overrides) => RowSource<JsonText>>([
  ['ActorsQuery', toActorRows],
  ['EventsQuery', toEventRows],
])

export const isRowQuery = (query: object): boolean => LISTS.has(unwrapQuery(query).source.kind)

/** Lists the persons, groups or events behind a number, or all persons. Not cached: few pages are requested twice. */
export function listRows(
  deps: RowDeps,
  caller: Caller,
  { query, overrides, ...options }: RowRequest,
): Promise<JsonText> {
  const toRows = LISTS.get(unwrapQuery(query).source.kind) as typeof toActorRows
  return runSource(deps, caller, toRows(query, overrides), options)
}
