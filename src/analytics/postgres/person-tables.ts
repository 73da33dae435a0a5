/**
 * Persons are derived from events in order of arrival. A person's number is that of the first event of one of its IDs,
 * which makes it unique across projects and the same after a rebuild.
 */
export const PERSON_TABLES = [
  `create table if not exists persons (
    project_id bigint not null,
    number bigint primary key,
    uuid uuid not null,
    created_at timestamptz not null,
    has_profile boolean not null,
    is_identified boolean not null,
    properties jsonb not null
  )`,
  'create index if not exists persons_by_uuid on persons (project_id, uuid)',
  'create index if not exists persons_by_creation on persons (project_id, created_at desc, number desc)',
  // few have none, so that a batch finds at once that its persons need no profile
  'create index if not exists persons_without_profile on persons (number) where not has_profile',
  `create table if not exists person_ids (
    project_id bigint not null,
    distinct_id text collate "C" not null,
    person bigint not null,
    primary key (project_id, distinct_id)
  )`,
  'create index if not exists person_ids_by_person on person_ids (person)',
  `create table if not exists identity_warnings (
    project_id bigint not null,
    type text not null,
    distinct_id text not null,
    other_id text,
    created_at timestamptz not null
  )`,
  'create index if not exists identity_warnings_by_time on identity_warnings (project_id, created_at)',
]

/** Keep the persons whose events expired; a rebuild starts with them. */
export const BASE_TABLES = [
  'create table if not exists person_bases (project_id bigint primary key, up_to bigint not null)',
  'create table if not exists persons_base (like persons including all)',
  'create table if not exists person_ids_base (like person_ids including all)',
]
