import { GROUP_INDEXES } from '../groups/group-types.ts'
import { COLUMN_TYPE } from './facts.ts'
import { ifColumnIsMissing } from './missing-column.ts'

/** Groups are derived from the events in their order of arrival, as persons are. Types stay when they are derived again. */
export const GROUP_TABLES = [
  `create table if not exists group_types (
    project_id bigint not null,
    type_index integer not null,
    name text collate "C" not null,
    created_at timestamptz not null,
    primary key (project_id, type_index)
  )`,
  `create table if not exists group_profiles (
    project_id bigint not null,
    type_index integer not null,
    key text collate "C" not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    properties jsonb not null,
    primary key (project_id, type_index, key)
  )`,
  'create table if not exists group_profiles_base (like group_profiles including all)',
  ifColumnIsMissing(
    'facts',
    'g0',
    `alter table facts ${GROUP_INDEXES.map((index) => `add column g${index} ${COLUMN_TYPE}`).join()};`,
  ),
  // false until events of earlier versions have been searched for groups
  ifColumnIsMissing(
    'event_store',
    'has_groups',
    `alter table event_store add column has_groups boolean not null default false;
      update event_store set has_groups = not exists (select from events);`,
  ),
]
