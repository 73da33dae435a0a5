import type { PropertyFilter } from '#model/query-kinds/common.schema.ts'
import type { GroupId } from '../api.ts'

/** Matches the events of a group. */
export const toGroupFilter = (id: GroupId): PropertyFilter => ({
  type: 'event_metadata',
  key: `$group_${id.group_type_index}`,
  operator: 'exact',
  value: [id.group_key],
})
