import { toPersonName } from '#server/features/events/person-rows/representation.ts'
import { jsonWriter, plain, quoted, stored, toJsonText } from '#server/http/json-text.ts'
import type { Actor } from './actor-store.ts'
import type { GroupActor } from './group-store.ts'
import { type RowPage, rowPageFields } from './row-page.ts'

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

/** A group is called by its name, or else by its key. */
export const toGroupActorJson = jsonWriter<GroupActor>({
  id: ({ key }) => quoted(key),
  type: () => plain('group'),
  name: ({ key, properties }) => quoted(toGroupName(key, properties)),
  group_key: ({ key }) => quoted(key),
  group_type_index: ({ index }) => index,
  properties: ({ properties }) => stored(properties),
  created_at: ({ createdAt }) => quoted(createdAt),
})

function toGroupName(key: string, properties: string): string {
  const { name }: { readonly name?: unknown } = JSON.parse(properties)
  return typeof name === 'string' && name.trim() !== '' ? name : key
}

export const toActorPageJson = jsonWriter<RowPage>({
  ...rowPageFields,
  missing_actors_count: () => 0,
})
