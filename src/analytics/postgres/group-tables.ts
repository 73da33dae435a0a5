import { sql } from 'kysely'
import type { Tx } from '#server/db/schema.ts'
import { GROUP_INDEXES, type GroupType } from '../groups/group-types.ts'
import type { AskedGroup, GroupState, GroupTables } from '../groups/groups.ts'
import { toPropertiesText } from '../properties-text.ts'
import { COLUMN_TYPE } from './facts.ts'
import { ifColumnIsMissing } from './missing-column.ts'
import { insertWarnings } from './person-tables.ts'

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

export const toGroupTables = (tx: Tx): GroupTables => ({
  findTypes: (projectIds) => findTypes(tx, projectIds),
  insertTypes: (types) => insertTypes(tx, types),
  find: (groups) => findGroups(tx, groups),
  write: (groups) => writeGroups(tx, groups),
  insertWarnings: (warnings) => insertWarnings(tx, warnings),
})

export async function findTypes(tx: Tx, projectIds: readonly number[]): Promise<GroupType[]> {
  const { rows } = await sql<Omit<GroupType, 'createdAt'> & { readonly createdAt: Date }>`
    select project_id as "projectId", type_index as index, name, created_at as "createdAt"
    from group_types where project_id = any(${projectIds}::bigint[]) order by type_index`.execute(
    tx,
  )
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.getTime() }))
}

async function insertTypes(tx: Tx, types: readonly GroupType[]): Promise<void> {
  for (const { projectId, index, name, createdAt } of types) {
    await sql`
      insert into group_types (project_id, type_index, name, created_at)
      values (${projectId}, ${index}, ${name}, ${new Date(createdAt).toISOString()})`.execute(tx)
  }
}

interface GroupRow extends Omit<GroupState, 'createdAt' | 'updatedAt'> {
  readonly createdAt: Date
  readonly updatedAt: Date
}

async function findGroups(tx: Tx, asked: readonly AskedGroup[]): Promise<GroupState[]> {
  const { rows } = await sql<GroupRow>`
    select project_id as "projectId", type_index as index, key, created_at as "createdAt", updated_at as "updatedAt",
      properties
    from group_profiles where (project_id, type_index, key) in (select * from unnest(
      ${asked.map(({ projectId }) => projectId)}::bigint[],
      ${asked.map(({ index }) => index)}::integer[],
      ${asked.map(({ key }) => key)}::text[]
    ))`.execute(tx)
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }))
}

async function writeGroups(tx: Tx, groups: readonly GroupState[]): Promise<void> {
  if (groups.length === 0) return
  await sql`
    insert into group_profiles (project_id, type_index, key, created_at, updated_at, properties)
    select project_id, type_index, key, created_at, updated_at, properties::jsonb from unnest(
      ${groups.map(({ projectId }) => projectId)}::bigint[],
      ${groups.map(({ index }) => index)}::integer[],
      ${groups.map(({ key }) => key)}::text[],
      ${groups.map(({ createdAt }) => new Date(createdAt).toISOString())}::timestamptz[],
      ${groups.map(({ updatedAt }) => new Date(updatedAt).toISOString())}::timestamptz[],
      ${groups.map(({ properties }) => toPropertiesText(properties))}::text[]
    ) as given (project_id, type_index, key, created_at, updated_at, properties)
    on conflict (project_id, type_index, key)
      do update set updated_at = excluded.updated_at, properties = excluded.properties`.execute(tx)
}
