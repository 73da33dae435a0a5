import { DEFAULT_KEYS } from '../materialized-properties.ts'

export const COLUMN_TYPE = 'text collate "C"'

/**
 * The table that queries read instead of `events` if it has all their properties: narrow, and with the number of each
 * event's person. `seq` is the order of arrival, in which persons are rebuilt. Most queries name one event, so an index
 * alone serves those without properties.
 */
export const FACTS_TABLES = [
  'create sequence if not exists event_blocks',
  `create table if not exists facts (
    project_id bigint not null,
    seq bigint not null,
    person bigint not null,
    timestamp timestamptz not null,
    uuid uuid not null,
    is_personless boolean not null,
    may_change_person boolean not null,
    event text collate "C" not null,
    distinct_id text collate "C" not null
    ${DEFAULT_KEYS.map((_, position) => `, p${position} ${COLUMN_TYPE}`).join('')}
  ) partition by range (timestamp)`,
  'create index if not exists facts_by_person on facts (person)',
  'create index if not exists facts_by_event on facts (project_id, event, timestamp) include (person)',
  'create index if not exists facts_by_time on facts using brin (project_id, timestamp) with (pages_per_range = 32)',
  'create table if not exists facts_other partition of facts default',
  // a column that is not filled yet is written, and not read
  `create table if not exists hot_properties (
    position integer primary key,
    key text collate "C" not null unique,
    is_filled boolean not null
  )`,
  `insert into hot_properties select position - 1, key, true
    from unnest(array[${DEFAULT_KEYS.map((key) => `'${key}'`).join()}]) with ordinality as given (key, position)
    where not exists (select from hot_properties)`,
]

export const addColumn = (position: number): string =>
  `alter table facts add column p${position} ${COLUMN_TYPE}`

/**
 * Index-only scans work only on vacuumed pages. By default, autovacuum runs after a fifth of a table is new, and that
 * fifth is queried most.
 */
export const vacuumOften = (partition: string): string =>
  `alter table ${partition} set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000)`
