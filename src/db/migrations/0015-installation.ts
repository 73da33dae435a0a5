import type { Migration } from '../migrate.ts'

/** One row: the ID by which the event store recognizes its database. */
export const installation: Migration = {
  name: '0015-installation',
  up: ({ int, text, table }) => [
    `create table installation (
      only_row ${int} primary key check (only_row = 1),
      id ${text} not null,
      has_events ${int} not null
    ) ${table}`,
  ],
}
