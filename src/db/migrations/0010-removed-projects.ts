import type { Migration } from '../migrate.ts'

/** Projects whose events may still have to go: these are in a store of their own, out of the transaction's reach. */
export const removedProjects: Migration = {
  name: '0010-removed-projects',
  up: ({ int, text, table }) => [
    `create table removed_projects (
      id ${int} primary key,
      removed_at ${text} not null
    ) ${table}`,
  ],
}
