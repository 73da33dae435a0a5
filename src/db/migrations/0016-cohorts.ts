import type { Migration } from '../migrate.ts'

/** Cohorts, and the members of static ones by distinct ID, which survives the merges of persons. */
export const cohorts: Migration = {
  name: '0016-cohorts',
  up: ({ id, int, text, table }) => [
    `create table cohorts (
      id ${id},
      project_id ${int} not null references projects (id) on delete cascade,
      version ${int} not null default 1,
      name ${text} not null,
      search_key ${text} not null,
      description ${text} not null,
      is_static ${int} not null check (is_static in (0, 1)),
      filters ${text} not null,
      deleted ${int} not null default 0 check (deleted in (0, 1)),
      created_by ${int} references users (id) on delete set null,
      created_at ${text} not null
    ) ${table}`,
    `create index cohorts_project on cohorts (project_id, deleted, id)`,
    `create table cohort_members (
      project_id ${int} not null,
      cohort_id ${int} not null references cohorts (id) on delete cascade,
      distinct_id ${text} not null,
      person_uuid ${text},
      primary key (cohort_id, distinct_id)
    ) ${table}`,
    `create index cohort_members_ids on cohort_members (project_id, distinct_id)`,
  ],
}
