/**
 * The table that queries read instead of `events` if they ask for no other property than it has: narrow, and with the
 * number of each event's person. `seq` is the order of arrival, by which persons can be derived again.
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
  ) partition by range (timestamp)`,
  'create index if not exists facts_by_person on facts (person)',
  'create table if not exists facts_other partition of facts default',
]
