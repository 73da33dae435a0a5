import type { Migration } from '../migrate.ts'

/** A config can repeat runs that failed temporarily, and a run counts its repeats. */
export const importRetries: Migration = {
  name: '0040-import-retries',
  up: ({ int, text }) => [
    `alter table plugin_configs add column retry ${text}`,
    `alter table runs add column retries ${int} not null default 0`,
  ],
}
