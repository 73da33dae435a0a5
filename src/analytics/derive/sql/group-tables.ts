import { sql } from 'kysely'
import type { GroupType } from '#server/analytics/groups/group-types.ts'
import type { AskedGroup, GroupState, GroupTables } from '#server/analytics/groups/groups.ts'
import { toPropertiesText } from '#server/analytics/properties-text.ts'
import { insertWarnings } from './person-tables.ts'
import type { SqlRunner } from './runner.ts'

export const toGroupTables = (runner: SqlRunner): GroupTables => ({
  findTypes: (projectIds) => findTypes(runner, projectIds),
  insertTypes: (types) => insertTypes(runner, types),
  find: (groups) => findGroups(runner, groups),
  write: (groups) => writeGroups(runner, groups),
  insertWarnings: (warnings) => insertWarnings(runner, warnings),
})

export const findTypes = (
  { run, toMilliseconds }: SqlRunner,
  projectIds: readonly number[],
): Promise<readonly GroupType[]> =>
  run(sql`
    select project_id::double precision as "projectId", type_index::double precision as "index", name,
      ${toMilliseconds(sql`created_at`)}::double precision as "createdAt"
    from group_types where project_id in (${sql.join(projectIds)}) order by type_index`)

async function insertTypes(runner: SqlRunner, types: readonly GroupType[]): Promise<void> {
  if (types.length === 0) return
  const given = await runner.given(
    'types',
    { project_id: 'bigint', type_index: 'integer', name: 'text', created_at: 'time' },
    types.map(({ projectId, index, name, createdAt }) => [projectId, index, name, createdAt]),
  )
  await runner.run(sql`
    insert into group_types (project_id, type_index, name, created_at)
    select project_id, type_index, name, created_at from ${given}`)
}

async function findGroups(
  runner: SqlRunner,
  asked: readonly AskedGroup[],
): Promise<readonly GroupState[]> {
  const given = await runner.given(
    'asked',
    { project_id: 'bigint', type_index: 'integer', key: 'text' },
    asked.map(({ projectId, index, key }) => [projectId, index, key]),
  )
  const groups = await runner.run<Omit<GroupState, 'properties'> & { properties: string }>(sql`
    select project_id::double precision as "projectId", type_index::double precision as "index", key,
      ${runner.toMilliseconds(sql`created_at`)}::double precision as "createdAt",
      ${runner.toMilliseconds(sql`updated_at`)}::double precision as "updatedAt", properties::text as properties
    from (select distinct project_id, type_index, key from ${given}) asked
    join group_profiles using (project_id, type_index, key)`)
  return groups.map((group) => ({ ...group, properties: JSON.parse(group.properties) }))
}

async function writeGroups(runner: SqlRunner, groups: readonly GroupState[]): Promise<void> {
  if (groups.length === 0) return
  const given = await runner.given(
    'changed',
    {
      project_id: 'bigint',
      type_index: 'integer',
      key: 'text',
      created_at: 'time',
      updated_at: 'time',
      properties: 'json',
    },
    groups.map(({ projectId, index, key, createdAt, updatedAt, properties }) => [
      projectId,
      index,
      key,
      createdAt,
      updatedAt,
      toPropertiesText(properties),
    ]),
  )
  const isSame = sql`known.project_id = changed.project_id and known.type_index = changed.type_index
    and known.key = changed.key`
  await runner.run(sql`
    update group_profiles as known set updated_at = changed.updated_at, properties = changed.properties
    from ${given} where ${isSame}`)
  await runner.run(sql`
    insert into group_profiles (project_id, type_index, key, created_at, updated_at, properties)
    select project_id, type_index, key, created_at, updated_at, properties from ${given}
    where not exists (select 1 from group_profiles known where ${isSame})`)
}
