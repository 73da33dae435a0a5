import type { User } from '../users/schema.ts'
import { effectivePrivilege, type Level, type Person } from './levels.ts'
import type { Dashboard, DashboardListItem } from './schema.ts'
import type { DashboardRow } from './store.ts'
import type { Tile } from './tiles/schema.ts'

export type People = ReadonlyMap<number, User>

export const personOf = (people: People, id: number | null): User | null =>
  (id !== null && people.get(id)) || null

export const toListItem = (
  person: Person,
  row: DashboardRow,
  people: People,
): DashboardListItem => ({
  id: row.id,
  name: row.name,
  description: row.description,
  pinned: row.pinned === 1,
  created_at: row.created_at,
  created_by: personOf(people, row.created_by),
  is_shared: row.is_shared === 1,
  deleted: row.deleted === 1,
  creation_mode: row.creation_mode,
  tags: JSON.parse(row.tags),
  restriction_level: row.restriction_level as Level,
  effective_restriction_level: row.restriction_level as Level,
  effective_privilege_level: effectivePrivilege(person, row),
})

export const toDashboard = (
  person: Person,
  row: DashboardRow,
  tiles: Tile[],
  people: People,
): Dashboard => ({
  id: row.id,
  name: row.name,
  description: row.description,
  pinned: row.pinned === 1,
  created_at: row.created_at,
  created_by: personOf(people, row.created_by),
  is_shared: row.is_shared === 1,
  deleted: row.deleted === 1,
  creation_mode: row.creation_mode,
  use_template: row.use_template,
  use_dashboard: row.use_dashboard,
  delete_insights: false,
  filters: JSON.parse(row.filters),
  variables: JSON.parse(row.variables),
  tags: JSON.parse(row.tags),
  tiles,
  restriction_level: row.restriction_level as Level,
  effective_restriction_level: row.restriction_level as Level,
  effective_privilege_level: effectivePrivilege(person, row),
})
