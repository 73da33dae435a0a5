import {
  type JsonFields,
  type JsonText,
  jsonWriter,
  largeArrayText,
  plain,
  quoted,
  stored,
} from '#server/http/json-text.ts'
import type { UserTexts } from '../user-texts.ts'
import { effectiveDashboardPrivilege, type MemberLevel } from './rights.ts'
import type { DashboardRow, ListedRow } from './store.ts'

interface ListContext {
  readonly member: MemberLevel
  readonly users: UserTexts
}

interface DashboardContext extends ListContext {
  readonly tiles: readonly JsonText[]
}

const shared: JsonFields<ListedRow, ListContext> = {
  id: (row) => row.id,
  name: (row) => quoted(row.name),
  description: (row) => quoted(row.description),
  pinned: (row) => row.pinned === 1,
  created_at: (row) => plain(row.created_at),
  created_by: (row, { users }) => users(row.created_by),
  is_shared: (row) => row.is_shared === 1,
  deleted: (row) => row.deleted === 1,
  creation_mode: (row) => plain(row.creation_mode),
}

const levels: JsonFields<ListedRow, ListContext> = {
  restriction_level: (row) => row.restriction_level,
  effective_restriction_level: (row) => row.restriction_level,
  effective_privilege_level: (row, { member }) => effectiveDashboardPrivilege(member, row),
}

const listItem: JsonFields<ListedRow, ListContext> = {
  ...shared,
  tags: (row) => stored(row.tags),
  ...levels,
}

export const toListItemText = jsonWriter(listItem)

export const toModifiedListItemText = jsonWriter<ListedRow, ListContext>({
  ...listItem,
  last_modified_at: (row) => plain(row.last_modified_at),
})

export const toDashboardText = jsonWriter<DashboardRow, DashboardContext>({
  ...shared,
  use_template: (row) => quoted(row.use_template),
  use_dashboard: (row) => row.use_dashboard,
  delete_insights: () => false,
  filters: (row) => stored(row.filters),
  variables: (row) => stored(row.variables),
  tags: (row) => stored(row.tags),
  tiles: (_row, { tiles }) => largeArrayText(tiles),
  ...levels,
})
