import type { Migration } from '../migrate.ts'

/** Named sets of rules that events match. */
export const actions: Migration = {
  name: '0050-actions',
  up: ({ id, int, text, table }) => [
    `create table actions (
      id ${id},
      project_id ${int} not null references projects (id) on delete cascade,
      version ${int} not null default 1,
      name ${text} not null,
      search_key ${text} not null,
      description ${text} not null,
      tags ${text} not null,
      steps ${text} not null,
      deleted ${int} not null default 0 check (deleted in (0, 1)),
      created_by ${int} references users (id) on delete set null,
      created_at ${text} not null
    ) ${table}`,
    `create index actions_project on actions (project_id, deleted, id)`,
  ],
}
