import type { Migration } from '../migrate.ts'

export const results: Migration = {
  name: '0004-results',
  up: ({ int, text, table }) => [
    `create table query_results (
      key ${text} primary key,
      project_id ${int} not null references projects (id) on delete cascade,
      version ${text} not null,
      period ${text} not null,
      results ${text},
      details ${text} not null,
      problem ${text},
      computed_at ${text} not null,
      duration_ms ${int} not null
    ) ${table}`,
    `create index query_results_by_age on query_results (computed_at)`,
    `alter table tiles add column filters_overrides ${text} not null default '{}'`,
    `alter table projects add column test_account_filters ${text} not null default '[]'`,
    `alter table projects add column week_start_day ${int} not null default 0 check (week_start_day in (0, 1))`,
  ],
}
