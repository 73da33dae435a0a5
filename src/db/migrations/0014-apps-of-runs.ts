import type { Migration } from '../migrate.ts'

/** Tells which app a run was queued for and by, so that its rights can be checked again when it starts. */
export const appsOfRuns: Migration = {
  name: '0014-apps-of-runs',
  up: ({ int }) => [
    `alter table runs add column plugin_id ${int}`,
    `alter table runs add column by_app ${int} not null default 0 check (by_app in (0, 1))`,
    `update runs set by_app = 1 where created_by is null`,
  ],
}
