import { toPersonName } from '#server/features/events/persons/representation.ts'
import { arrayText, jsonWriter, plain, quoted, stored, toJsonText } from '#server/http/json-text.ts'
import type { ActorColumn } from './columns.ts'
import type { Actor } from './store.ts'

/** A person without a profile has no properties and was never created. */
export const toActorJson = jsonWriter<Actor>({
  id: ({ person }) => plain(person.uuid),
  type: () => plain('person'),
  name: ({ person }) => quoted(toPersonName(person)),
  distinct_ids: ({ person }) => toJsonText(person.distinctIds),
  properties: ({ person }) => stored(person.properties),
  created_at: ({ person }) => quoted(person.hasProfile ? person.createdAt : null),
  is_identified: ({ person }) => person.isIdentified,
})

/** A page of persons, and everything else of the response. */
export interface ActorPage {
  readonly actors: readonly Actor[]
  readonly columns: readonly ActorColumn[]
  readonly hasMore: boolean
  readonly limit: number
  readonly offset: number
  readonly zone: string
  readonly unreached: readonly string[]
}

export const toActorPageJson = jsonWriter<ActorPage>({
  results: ({ actors, columns }) =>
    arrayText(actors.map((actor) => arrayText(columns.map(({ read }) => read(actor))))),
  columns: ({ columns }) => toJsonText(columns.map(({ name }) => name)),
  types: ({ columns }) => toJsonText(columns.map(({ name, type }) => [name, type])),
  hasMore: ({ hasMore }) => hasMore,
  limit: ({ limit }) => limit,
  offset: ({ offset }) => offset,
  missing_actors_count: () => 0,
  is_cached: () => false,
  last_refresh: () => plain(new Date().toISOString()),
  cache_key: () => plain(''),
  timezone: ({ zone }) => quoted(zone),
  query_status: () => null,
  error: () => null,
  filters_not_applied: ({ unreached }) => toJsonText(unreached),
})
