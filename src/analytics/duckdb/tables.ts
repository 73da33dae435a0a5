import { DUCKDB_SCHEMA } from '../schema-versions.ts'
import { ADD_GROUP_COLUMNS } from './group-keys-sql.ts'

/**
 * Persons are derived from events in order of arrival. A person's number is that of the first event of one of its IDs.
 * `identified_up_to` is the last processed event.
 */
const PERSON_TABLES = [
  'alter table meta add column if not exists identified_up_to bigint default 0',
  `create table if not exists persons (
    project_id bigint not null,
    number bigint not null,
    uuid uuid not null,
    created_at timestamptz not null,
    has_profile boolean not null,
    is_identified boolean not null,
    properties varchar not null
  )`,
  `create table if not exists person_ids (
    project_id bigint not null,
    distinct_id varchar not null,
    person bigint not null
  )`,
  `create table if not exists identity_warnings (
    project_id bigint not null,
    type varchar not null,
    distinct_id varchar not null,
    other_id varchar,
    created_at timestamptz not null
  )`,
]

/** Keep the persons whose events expired; a rebuild starts with them. */
const BASE_TABLES = [
  'create table if not exists person_bases (project_id bigint not null, up_to bigint not null)',
  'create table if not exists persons_base as from persons limit 0',
  'create table if not exists person_ids_base as from person_ids limit 0',
]

/** Edits are kept with the number of the last event before them, so that a rebuild repeats them at the same place. */
const EDIT_TABLES = [
  `create table if not exists person_edits (
    project_id bigint not null,
    after_seq bigint not null,
    position bigint not null,
    distinct_id varchar not null,
    edit varchar not null
  )`,
  'create sequence if not exists person_edit_positions',
  // persons made by edits have negative numbers, because the others have those of events
  'create sequence if not exists person_numbers start with -1 increment by -1',
]

const FACTS_TABLES = [
  // -1 until `facts` has been built by this version
  'alter table meta add column if not exists facts_up_to bigint default -1',
  'create table if not exists hot_properties (position integer, key varchar)',
]

/** Groups are derived from the events in their order of arrival, as persons are. Types stay when they are derived again. */
const GROUP_TABLES = [
  // false until events of earlier versions have been searched for groups
  'alter table meta add column if not exists has_groups boolean default false',
  `create table if not exists group_types (
    project_id bigint not null,
    type_index integer not null,
    name varchar not null,
    created_at timestamptz not null
  )`,
  `create table if not exists group_profiles (
    project_id bigint not null,
    type_index integer not null,
    key varchar not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    properties varchar not null
  )`,
  'create table if not exists group_profiles_base as from group_profiles limit 0',
]

/** Edits are kept as those of persons are, so that a rebuild repeats them at the same place. */
const GROUP_EDIT_TABLES = [
  `create table if not exists group_edits (
    project_id bigint not null,
    after_seq bigint not null,
    position bigint not null,
    edit varchar not null
  )`,
]

/**
 * There is no primary key, because at 10 million events it costs 1,410 MB instead of 543, and 63 ms per 100 rows.
 * `timestamp` is a timestamptz, because its epoch, which grouping by quarter hours needs, is cheap to compute and the
 * same queries run on PostgreSQL.
 */
export const TABLES = [
  'create table if not exists meta (schema_version integer not null, settled_up_to bigint not null)',
  'alter table meta add column if not exists removals bigint default 0',
  'alter table meta add column if not exists installation varchar',
  `create table if not exists events (
    project_id bigint not null,
    seq bigint not null,
    uuid uuid not null,
    event varchar not null,
    distinct_id varchar not null,
    timestamp timestamptz not null,
    properties varchar not null,
    created_at timestamptz not null
  )`,
  // in parts, since DuckDB holds 2,048 texts at a time
  'create table if not exists whole_properties (seq bigint not null, part integer not null, text varchar not null)',
  `insert into meta (schema_version, settled_up_to) select ${DUCKDB_SCHEMA}, 0 where not exists (from meta)`,
  ...PERSON_TABLES,
  ...BASE_TABLES,
  ...EDIT_TABLES,
  ...FACTS_TABLES,
  ...GROUP_TABLES,
  ...GROUP_EDIT_TABLES,
  ...ADD_GROUP_COLUMNS,
]
