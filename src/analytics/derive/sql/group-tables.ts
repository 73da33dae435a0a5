import { sql } from 'kysely'
import type { GroupType } from '#server/analytics/groups/group-types.ts'
import type { GroupState, GroupTables } from '#server/analytics/groups/groups.ts'
import { toPropertiesText } from '#server/analytics/properties-text.ts'
import { insertWarnings } from './person-tables.ts'
import type { SqlRunner } from './runner.ts'

const TYPE = { project_id: 'bigint', type_index: 'integer' } as const
const GROUP = { ...TYPE, key: 'text' } as const
const CHANGED = { ...GROUP, created_at: 'time', updated_at: 'time', properties: 'json' } as const

const IS_SAME = sql`known.project_id = changed.project_id and known.type_index = changed.type_index
  and known.key = changed.key`

export const toGroupTables = (runner: SqlRunner): GroupTables => ({
  findTypes: (projectIds) => findTypes(runner, projectIds),
  async insertTypes(types) {
    if (types.length === 0) return
    const rows = types.map((type) => [type.projectId, type.index, type.name, type.createdAt])
    const given = await runner.given('types', { ...TYPE, name: 'text', created_at: 'time' }, rows)
    await runner.run(sql`
      insert into group_types (project_id, type_index, name, created_at)
      select project_id, type_index, name, created_at from ${given}`)
  },
  async find(wanted) {
    const rows = wanted.map(({ projectId, index, key }) => [projectId, index, key])
    const groups = await runner.run<Omit<GroupState, 'properties'> & { properties: string }>(sql`
      select project_id::double precision as "projectId", type_index::double precision as "index", key,
        ${runner.toMilliseconds(sql`created_at`)} as "createdAt",
        ${runner.toMilliseconds(sql`updated_at`)} as "updatedAt", properties::text as properties
      from (select distinct project_id, type_index, key from ${await runner.given('wanted', GROUP, rows)}) wanted
      join group_profiles using (project_id, type_index, key)`)
    return groups.map((group) => ({ ...group, properties: JSON.parse(group.properties) }))
  },
  async write(groups) {
    if (groups.length === 0) return
    const rows = groups.map(({ projectId, index, key, createdAt, updatedAt, properties }) => {
      return [projectId, index, key, createdAt, updatedAt, toPropertiesText(properties)]
    })
    const given = await runner.given('changed', CHANGED, rows)
    await runner.run(sql`
      update group_profiles as known set updated_at = changed.updated_at, properties = changed.properties
      from ${given} where ${IS_SAME}`)
    await runner.run(sql`
      insert into group_profiles (project_id, type_index, key, created_at, updated_at, properties)
      select project_id, type_index, key, created_at, updated_at, properties from ${given}
      where not exists (select 1 from group_profiles known where ${IS_SAME})`)
  },
  insertWarnings: (warnings) => insertWarnings(runner, warnings),
})

export const findTypes = (
  { run, toMilliseconds }: SqlRunner,
  projectIds: readonly number[],
): Promise<readonly GroupType[]> =>
  run(sql`
    select project_id::double precision as "projectId", type_index::double precision as "index", name,
      ${toMilliseconds(sql`created_at`)} as "createdAt"
    from group_types where project_id in (${sql.join(projectIds)}) order by type_index`)
