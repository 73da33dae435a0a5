import type { Migration } from '../migrate.ts'

/** The claim of a run looks for the first run of each config, and for the project that has waited longest. */
export const fairRuns: Migration = {
  name: '0011-fair-runs',
  up: ({ text }) => [
    `alter table runs add column retry_at ${text}`,
    `drop index runs_due`,
    `create index runs_next on runs (config_id, run_at, id) where state = 'queued'`,
    `create index runs_started on runs (project_id, started_at)`,
  ],
}
