import { jsonWriter, plain, quoted, stored } from '#server/http/json-text.ts'
import type { GroupRow } from './store.ts'

export const toGroupJson = jsonWriter<GroupRow>({
  group_type_index: (group) => group.index,
  group_key: (group) => quoted(group.key),
  group_properties: (group) => stored(group.properties),
  created_at: (group) => plain(group.createdAt),
})
