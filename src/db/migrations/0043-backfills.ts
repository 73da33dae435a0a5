import type { Migration } from '../migrate.ts'

/** Imports of the past, in windows of which one run at a time imports the next. */
export const backfills: Migration = {
  name: '0043-backfills',
  up: ({ int, text, table }) => [
    `create table backfills (
      id ${text} primary key,
      project_id ${int} not null references projects (id) on delete cascade,
      config_id ${int} not null references plugin_configs (id) on delete cascade,
      plugin_id ${int} not null,
      from_time ${text} not null,
      to_time ${text} not null,
      streams ${text},
      chunk ${text} not null,
      state ${text} not null
        check (state in ('running', 'paused', 'failed', 'succeeded', 'cancelled')),
      message ${text} not null default '',
      windows ${int} not null,
      windows_done ${int} not null default 0,
      events ${int} not null default 0,
      new_events ${int} not null default 0,
      skipped ${int} not null default 0,
      created_by ${int} references users (id),
      created_at ${text} not null,
      finished_at ${text}
    ) ${table}`,
    `create index backfills_config on backfills (config_id, created_at, id)`,
    `create index backfills_running on backfills (id) where state = 'running'`,
    `alter table runs add column backfill_id ${text} references backfills (id) on delete cascade`,
    `create index runs_backfill on runs (backfill_id, state) where backfill_id is not null`,
  ],
}
