import type { Migration } from '../migrate.ts'

/** Tells new events from those already stored, keeps the rows that a run skipped, and adds test runs. */
export const runCounts: Migration = {
  name: '0018-run-counts',
  up: ({ int, text, table }) => [
    `alter table runs add column dry_run ${int} not null default 0 check (dry_run in (0, 1))`,
    `alter table runs add column new_events ${int}`,
    `alter table runs add column skipped ${int} not null default 0`,
    `create table run_previews (
      run_id ${text} not null primary key references runs (id) on delete cascade,
      events ${text} not null
    ) ${table}`,
    `create table run_skipped_rows (
      run_id ${text} not null references runs (id) on delete cascade,
      position ${int} not null,
      reason ${text} not null,
      content ${text} not null,
      primary key (run_id, position)
    ) ${table}`,
  ],
}
