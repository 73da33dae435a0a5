import type { Migration } from '../migrate.ts'

/** The names that people give to types of groups. They are kept by name, because the types themselves are derived from events. */
export const groupTypeNames: Migration = {
  name: '0017-group-type-names',
  up: ({ int, text, table }) => [
    `create table group_type_names (
      project_id ${int} not null references projects (id) on delete cascade,
      group_type ${text} not null,
      name_singular ${text},
      name_plural ${text},
      primary key (project_id, group_type)
    ) ${table}`,
  ],
}
