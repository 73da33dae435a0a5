import type { Migration } from '../migrate.ts'

/** One row, from the first check of the schedule on. */
export const scheduledBackups: Migration = {
  name: '0023-scheduled-backups',
  up: ({ int, text, table }) => [
    `create table scheduled_backups (
      only_row ${int} primary key check (only_row = 1),
      since ${text} not null,
      holder ${text},
      lease_until ${text},
      claimed_at ${text},
      succeeded_at ${text},
      file ${text},
      bytes ${int},
      events ${int},
      duration_ms ${int},
      failed_at ${text},
      problem ${text},
      notified_at ${text}
    ) ${table}`,
  ],
}
