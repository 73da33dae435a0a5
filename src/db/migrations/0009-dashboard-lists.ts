import type { Migration } from '../migrate.ts'

/** The sort order of dashboard lists, besides the name. */
export const dashboardLists: Migration = {
  name: '0009-dashboard-lists',
  up: ({ text }) => [
    `alter table dashboards add column last_modified_at ${text} not null default ''`,
    `update dashboards set last_modified_at = coalesce((
      select max(activity.created_at) from activity
      where activity.project_id = dashboards.project_id and activity.scope = 'Dashboard' and activity.item_id = dashboards.id
    ), created_at)`,
    `create index dashboards_by_creation on dashboards (project_id, deleted, created_at, id)`,
    `create index dashboards_by_change on dashboards (project_id, deleted, last_modified_at, id)`,
  ],
}
