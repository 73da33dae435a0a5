import type { Migration } from '../migrate.ts'

/** Annotations mark a moment in the charts of an insight, a dashboard, a project or all projects. */
export const annotations: Migration = {
  name: '0020-annotations',
  up: ({ id, int, text, table }) => [
    `create table annotations (
      id ${id},
      project_id ${int} not null references projects (id) on delete cascade,
      content ${text} not null,
      search_key ${text} not null,
      date_marker ${text} not null,
      scope ${text} not null,
      dashboard_id ${int} references dashboards (id) on delete cascade,
      insight_id ${int} references insights (id) on delete cascade,
      creation_type ${text} not null,
      tags ${text} not null,
      deleted ${int} not null default 0 check (deleted in (0, 1)),
      created_by ${int} references users (id) on delete set null,
      created_at ${text} not null,
      updated_at ${text} not null
    ) ${table}`,
    `create index annotations_project on annotations (project_id, deleted, date_marker)`,
    `create index annotations_scope on annotations (scope, deleted, date_marker)`,
  ],
}
