import { PORTABLE_TABLES, type PortableTable } from '../portable-tables.ts'
import { DERIVED_TABLES } from '../project-tables.ts'
import { DUCKDB_SCHEMA } from '../schema-versions.ts'
import { ADD_GROUP_COLUMNS } from './group-keys-sql.ts'

/** Creates a table with the columns that it has in a backup. */
const createTable = (table: PortableTable): string => {
  const columns = Object.entries<string>(PORTABLE_TABLES[table])
  const toColumn = ([name, type]: [string, string]) =>
    `${name} ${type}${name === 'other_id' ? '' : ' not null'}`
  return `create table if not exists ${table} (${columns.map(toColumn).join()})`
}

const createBase = (table: string): string =>
  `create table if not exists ${table}_base as from ${table} limit 0`

/**
 * Persons and groups are derived from events in order of arrival. A person's number is that of the first event of one of
 * its IDs. `identified_up_to` is the last processed event. Types of groups stay when persons are derived again.
 */
const DERIVED = [
  'alter table meta add column if not exists identified_up_to bigint default 0',
  ...(['persons', 'person_ids', 'identity_warnings', 'person_bases'] as const).map(createTable),
  ...(['group_types', 'group_profiles', 'group_edits'] as const).map(createTable),
  ...DERIVED_TABLES.map(createBase),
]

/** Edits are kept with the number of the last event before them, so that a rebuild repeats them at the same place. */
const EDITS = [
  `create table if not exists person_edits (
    project_id bigint not null,
    after_seq bigint not null,
    position bigint not null,
    distinct_id varchar not null,
    edit varchar not null
  )`,
  'create sequence if not exists person_edit_positions',
  // persons made by edits have negative numbers, because others have the number of an event
  'create sequence if not exists person_numbers start with -1 increment by -1',
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
  ...DERIVED,
  ...EDITS,
  // -1 until `facts` has been built by this version
  'alter table meta add column if not exists facts_up_to bigint default -1',
  'create table if not exists hot_properties (position integer, key varchar)',
  // false until events of earlier versions have been searched for groups
  'alter table meta add column if not exists has_groups boolean default false',
  ...ADD_GROUP_COLUMNS,
]
