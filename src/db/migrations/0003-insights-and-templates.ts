import type { Migration } from '../migrate.ts'

export const insightsAndTemplates: Migration = {
  name: '0003-insights-and-templates',
  up: ({ int, text, table }) => [
    `alter table insights add column derived_name ${text}`,
    `alter table insights add column favorited ${int} not null default 0 check (favorited in (0, 1))`,
    `alter table insights add column saved ${int} not null default 1 check (saved in (0, 1))`,
    `alter table insights add column search_key ${text} not null default ''`,
    // an approximation in SQL: the next change of an insight writes the full key
    `update insights set search_key = lower(name || '\n' || description || '\n' || tags)`,
    `create index insights_list on insights (project_id, deleted, last_modified_at desc, id desc)`,

    `create table dashboard_templates (
      id ${text} primary key,
      project_id ${int} not null references projects (id) on delete cascade,
      name ${text} not null,
      search_key ${text} not null,
      description ${text} not null,
      filters ${text} not null,
      tags ${text} not null,
      tiles ${text} not null,
      variables ${text},
      image_url ${text},
      deleted ${int} not null check (deleted in (0, 1)),
      created_by ${int} references users (id),
      created_at ${text} not null
    ) ${table}`,
    `create unique index dashboard_templates_name on dashboard_templates (project_id, name) where deleted = 0`,
  ],
}
