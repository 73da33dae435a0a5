import { ifColumnIsMissing } from '#server/analytics/postgres/missing-column.ts'
import type { VersionedTable } from '../tables.ts'

/** The columns that name a row of a table with versions: a number, a text or both. */
interface RowKey {
  readonly number: string | null
  readonly name: string | null
}

export const ROW_KEYS: Readonly<Record<VersionedTable, RowKey>> = {
  persons: { number: 'number', name: null },
  person_ids: { number: null, name: 'distinct_id' },
  group_types: { number: 'type_index', name: null },
  group_profiles: { number: 'type_index', name: 'key' },
  identity_warnings: { number: 'id', name: null },
  person_moves: { number: 'number', name: null },
}

const CHANGES = [
  ['insert', 'new'],
  ['update', 'new'],
  ['delete', 'old'],
] as const

/** Notes the rows that a statement changed, whichever code ran it. */
const toTriggers = ([table, { number, name }]: [string, RowKey]): string[] => [
  `create or replace function note_${table}() returns trigger language plpgsql as $$
    begin
      insert into outbox_rows (source, project_id, number, name)
      select '${table}', project_id, ${number ?? 'null'}, ${name ?? 'null'} from changed;
      return null;
    end
  $$`,
  ...CHANGES.map(([change, state]) =>
    ifTriggerIsMissing(
      table,
      `note_${change}`,
      `create trigger note_${change} after ${change} on ${table}
        referencing ${state} table as changed for each statement execute function note_${table}();`,
    ),
  ),
]

/** Replacing a trigger would wait for all writers of the table, and may deadlock with them. */
const ifTriggerIsMissing = (table: string, name: string, statement: string): string =>
  `do $$ begin
    if not exists (select from pg_trigger where tgrelid = '${table}'::regclass and tgname = '${name}') then
      ${statement}
    end if;
  end $$`

/** Rows come and go, and a scan reads the dead ones too. */
const EMPTIED_OFTEN =
  'with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_threshold = -1)'

/**
 * Create the tables of what waits for ClickHouse, in the database that has taken it in. `outbox_events` has events as lines that ClickHouse
 * reads, those of one chunk in a row. `outbox_batch` has the chunks that are being sent, with the token that makes them
 * count once. `outbox_rows` names the persons, groups and moves that changed. `outbox_changes` has deletions and
 * assignments of events. `outbox_missed` has projects that a query has read without something that waited.
 */
export const OUTBOX_TABLES: readonly string[] = [
  `create table if not exists outbox_events (
    id bigint generated always as identity primary key,
    projects bigint[] not null,
    events integer not null,
    bytes integer not null,
    lines text not null,
    created_at timestamptz not null default now()
  ) ${EMPTIED_OFTEN}`,
  'create table if not exists outbox_batch (token uuid primary key, chunks bigint[] not null)',
  `create table if not exists outbox_rows (
    id bigint generated always as identity,
    source text not null,
    project_id bigint not null,
    number bigint,
    name text collate "C"
  ) ${EMPTIED_OFTEN}`,
  ifColumnIsMissing(
    'outbox_rows',
    'id',
    'alter table outbox_rows add column id bigint generated always as identity;',
  ),
  'create index if not exists outbox_rows_by_id on outbox_rows (id)',
  'create index if not exists outbox_rows_of_project on outbox_rows (project_id, id)',
  'drop index if exists outbox_rows_by_project',
  'create table if not exists outbox_missed (project_id bigint primary key)',
  `create table if not exists outbox_changes (
    id bigint generated always as identity primary key,
    project_id bigint not null,
    change text not null,
    created_at timestamptz not null default now()
  )`,
  `create table if not exists person_moves (
    number bigint primary key,
    project_id bigint not null,
    person bigint not null
  )`,
  'create index if not exists person_moves_by_person on person_moves (person)',
  'create index if not exists person_moves_by_project on person_moves (project_id)',
  'create sequence if not exists outbox_versions',
  ifColumnIsMissing(
    'identity_warnings',
    'id',
    'alter table identity_warnings add column id bigint generated always as identity;',
  ),
  'create index if not exists identity_warnings_by_id on identity_warnings (id)',
  ifColumnIsMissing(
    'event_keys',
    'arrived',
    'alter table event_keys add column arrived date not null default current_date;',
  ),
  'create index if not exists event_keys_by_arrival on event_keys using brin (arrived)',
  ...Object.entries(ROW_KEYS).flatMap(toTriggers),
]

/** The tables that a store in PostgreSQL alone does not have. */
export const OUTBOX_TABLE_NAMES: readonly string[] = [
  'outbox_events',
  'outbox_batch',
  'outbox_rows',
  'outbox_changes',
  'outbox_missed',
  'person_moves',
]
