import type { Migration } from '../migrate.ts'

/** Deleted projects whose events remain, because the event store is outside the transaction. */
export const removedProjects: Migration = {
  name: '0010-removed-projects',
  up: ({ int, text, table }) => [
    `create table removed_projects (
      id ${int} primary key,
      removed_at ${text} not null
    ) ${table}`,
  ],
}
