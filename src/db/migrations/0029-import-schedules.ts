import type { Migration } from '../migrate.ts'

/** When a config runs, if not at the times of its app, and how often it is expected to succeed. */
export const importSchedules: Migration = {
  name: '0029-import-schedules',
  up: ({ text }) => [
    `alter table plugin_configs add column schedule ${text}`,
    `alter table plugin_configs add column expected_every ${text}`,
    // the health of a config looks for its last success and its last failure among many runs
    `create index runs_succeeded on runs (config_id, created_at) where state = 'succeeded' and dry_run = 0`,
    `create index runs_failed on runs (config_id, created_at) where state = 'failed' and dry_run = 0`,
  ],
}
