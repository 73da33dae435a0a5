import type { DuckDBConnection } from '@duckdb/node-api'
import type { GroupType } from '../groups/group-types.ts'
import type { GroupState, GroupTables } from '../groups/groups.ts'
import { toPropertiesText } from '../properties-text.ts'
import { insertWarnings } from './person-tables.ts'
import { readRows } from './read-rows.ts'
import { fillTempTable, toTime } from './temp-table.ts'

/** Groups are derived from the events in their order of arrival, as persons are. Types stay when they are derived again. */
export const GROUP_TABLES = [
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

export const toGroupTables = (connection: DuckDBConnection): GroupTables => ({
  findTypes: (projectIds) => findTypes(connection, projectIds),
  insertTypes: (types) => insertTypes(connection, types),
  find: (groups) => findGroups(connection, groups),
  write: (groups) => writeGroups(connection, groups),
  insertWarnings: (warnings) => insertWarnings(connection, warnings),
})

async function findTypes(
  connection: DuckDBConnection,
  projectIds: readonly number[],
): Promise<GroupType[]> {
  const rows = await readRows<[number, number, string, number]>(
    connection,
    `select project_id::double, type_index, name, epoch_ms(created_at)::double from group_types
      where project_id in (${projectIds.join()}) order by type_index`,
  )
  return rows.map(([projectId, index, name, createdAt]) => ({ projectId, index, name, createdAt }))
}

async function insertTypes(
  connection: DuckDBConnection,
  types: readonly GroupType[],
): Promise<void> {
  for (const type of types) {
    await connection.run(
      `insert into group_types values ($projectId::bigint, $index::integer, $name, ${toTime('$createdAt')})`,
      { ...type },
    )
  }
}

async function findGroups(
  connection: DuckDBConnection,
  asked: Parameters<GroupTables['find']>[0],
): Promise<GroupState[]> {
  const askedRows = asked.map(({ projectId, index, key }) => [projectId, index, key])
  await fillTempTable(connection, 'asked_groups', KEY_COLUMNS, askedRows)
  const rows = await readRows<[number, number, string, number, number, string]>(
    connection,
    `select project_id::double, type_index, key, epoch_ms(created_at)::double, epoch_ms(updated_at)::double, properties
      from group_profiles semi join asked_groups using (project_id, type_index, key)`,
  )
  return rows.map(([projectId, index, key, createdAt, updatedAt, properties]) => ({
    projectId,
    index,
    key,
    createdAt,
    updatedAt,
    properties: JSON.parse(properties),
  }))
}

async function writeGroups(
  connection: DuckDBConnection,
  groups: readonly GroupState[],
): Promise<void> {
  if (groups.length === 0) return
  const rows = groups.map(({ projectId, index, key, createdAt, updatedAt, properties }) => [
    projectId,
    index,
    key,
    createdAt,
    updatedAt,
    toPropertiesText(properties),
  ])
  await fillTempTable(connection, 'changed_groups', GROUP_COLUMNS, rows)
  await connection.run(`update group_profiles groups
    set updated_at = ${toTime('changed.updated_at')}, properties = changed.properties
    from changed_groups changed where groups.project_id = changed.project_id
      and groups.type_index = changed.type_index and groups.key = changed.key`)
  await connection.run(`insert into group_profiles
    select project_id, type_index, key, ${toTime('created_at')}, ${toTime('updated_at')}, properties
    from changed_groups anti join group_profiles using (project_id, type_index, key)`)
}

const KEY_COLUMNS = { project_id: 'double', type_index: 'double', key: 'varchar' } as const

const GROUP_COLUMNS = {
  ...KEY_COLUMNS,
  created_at: 'double',
  updated_at: 'double',
  properties: 'varchar',
} as const
