import { toPersonName } from '#server/features/events/persons/representation.ts'
import { jsonWriter, plain, quoted, stored, toJsonText } from '#server/http/json-text.ts'
import { type RowPage, rowPageFields } from '../row-page.ts'
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

export const toActorPageJson = jsonWriter<RowPage<Actor>>({
  ...rowPageFields<Actor>(),
  missing_actors_count: () => 0,
})
