import type { Migration } from '../migrate.ts'

/** Filters of the list of events or of a dashboard, under a name. */
export const savedViews: Migration = {
  name: '0051-saved-views',
  up: ({ id, int, text, table }) => [
    `create table saved_views (
      id ${id},
      project_id ${int} not null references projects (id) on delete cascade,
      page ${text} not null check (page in ('events', 'dashboard')),
      dashboard_id ${int} references dashboards (id) on delete cascade,
      name ${text} not null,
      filters ${text} not null,
      created_by ${int} references users (id) on delete set null,
      created_at ${text} not null
    ) ${table}`,
    `create index saved_views_place on saved_views (project_id, page, dashboard_id, id)`,
  ],
}
