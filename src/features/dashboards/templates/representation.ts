import type { User } from '#server/features/accounts/users/schema.ts'
import type { BuiltInTemplate } from './built-in/built-in.ts'
import type { DashboardTemplate } from './schema.ts'
import type { TemplateRow } from './store.ts'

/** A built-in template has no creator, creation time or project. */
export const toBuiltInRepresentation = ({ id, template }: BuiltInTemplate): DashboardTemplate => ({
  id,
  template_name: template.name,
  dashboard_description: template.description,
  dashboard_filters: template.filters,
  tags: [...template.tags],
  tiles: [...template.tiles],
  variables: null,
  deleted: false,
  created_at: null,
  created_by: null,
  image_url: null,
  team_id: null,
  scope: 'global',
})

export const toRepresentation = (
  row: TemplateRow,
  users: ReadonlyMap<number, User>,
): DashboardTemplate => ({
  id: row.id,
  template_name: row.name,
  dashboard_description: row.description,
  dashboard_filters: JSON.parse(row.filters),
  tags: JSON.parse(row.tags),
  tiles: JSON.parse(row.tiles),
  variables: row.variables === null ? null : JSON.parse(row.variables),
  deleted: row.deleted === 1,
  created_at: row.created_at,
  created_by: users.get(row.created_by ?? 0) ?? null,
  image_url: row.image_url,
  team_id: row.project_id,
  scope: 'team',
})
