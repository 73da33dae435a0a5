import { sql } from 'kysely'
import type { GroupEdit } from '#server/analytics/event-store.ts'
import type { Sql } from '#server/analytics/event-table.ts'
import {
  DERIVED_TABLES,
  ID_TABLES,
  PERSONS_AND_IDS,
  PROJECT_TABLES,
} from '#server/analytics/project-tables.ts'
import type { DerivedTables } from '../derived-tables.ts'
import type { SqlRunner } from './runner.ts'

type GroupId = Pick<GroupEdit, 'index' | 'key'>

/** Makes IDs the source of a FROM, with the column `id`. */
export const toGone = ({ given }: SqlRunner, ids: readonly string[]): Promise<Sql> => {
  const rows = ids.map((id) => [id])
  return given('gone', { id: 'text' }, rows)
}

export const toDeletionTables = (runner: SqlRunner) =>
  ({
    async deleteIds(projectId, ids) {
      const gone = await toGone(runner, ids)
      const which = sql`project_id = ${projectId} and distinct_id in (select id from ${gone})`
      for (const [persons, personIds] of PERSONS_AND_IDS) {
        const sharing = sql`select 1 from ${sql.table(personIds)} where project_id = ${projectId}
          and person = number and not exists (select 1 from ${gone} where id = distinct_id)`
        await runner.run(sql`
          delete from ${sql.table(persons)}
          where number in (select person from ${sql.table(personIds)} where ${which}) and not exists (${sharing})`)
      }
      for (const table of ID_TABLES) {
        await runner.run(sql`delete from ${sql.table(table)} where ${which}`)
      }
    },
    async listKeptIds(projectId, ids) {
      const ofProject = sql`project_id = ${projectId}`
      const rows = await runner.run<{ id: string }>(sql`
        select distinct_id as id from person_ids_base where ${ofProject} and person in (
          select person from person_ids_base
          where ${ofProject} and distinct_id in (select id from ${await toGone(runner, ids)})
        )`)
      return rows.map(({ id }) => id)
    },
    async listUnused(projectId, ids) {
      const ofProject = sql`project_id = ${projectId}`
      const unused = await runner.run<{ id: string }>(sql`
        select id from ${await toGone(runner, ids)} except select distinct_id from events where ${ofProject}`)
      const unusedIds = unused.map(({ id }) => id)
      const gone = await toGone(runner, unusedIds)
      // an ID that was only merged has no events, and would keep a person who has none either
      const merged = await runner.run<{ id: string }>(sql`
        select distinct_id as id from person_ids where ${ofProject}
          and person in (select person from person_ids where ${ofProject} and distinct_id in (select id from ${gone}))
          and person not in (
            select person from person_ids where ${ofProject}
              and not exists (select 1 from ${gone} where id = distinct_id)
              and distinct_id in (select distinct_id from events where ${ofProject}
                union all select distinct_id from person_ids_base where ${ofProject}))`)
      return [...new Set([...unusedIds, ...merged.map(({ id }) => id)])]
    },
    async deleteProject(projectId) {
      for (const table of PROJECT_TABLES) {
        await runner.run(sql`delete from ${sql.table(table)} where project_id = ${projectId}`)
      }
    },
    async deleteGroups(projectId, { key, value }) {
      const isMatch = sql`project_id = ${projectId} and ${runner.propertyText(sql`properties`, key)} = ${value}`
      const groups = await runner.run<GroupId>(sql`
        select type_index::double precision as "index", key from group_profiles where ${isMatch}`)
      if (groups.length > 0) await deleteGroupEdits(runner, projectId, groups)
      for (const table of ['group_profiles', 'group_profiles_base']) {
        await runner.run(sql`delete from ${sql.table(table)} where ${isMatch}`)
      }
    },
    async keepPersons(projectId, upTo) {
      const ofProject = sql`project_id = ${projectId}`
      for (const table of DERIVED_TABLES) {
        const base = sql.table(`${table}_base`)
        await runner.run(sql`delete from ${base} where ${ofProject}`)
        await runner.run(
          sql`insert into ${base} select * from ${sql.table(table)} where ${ofProject}`,
        )
      }
      await runner.run(sql`delete from person_bases where ${ofProject}`)
      await runner.run(
        sql`insert into person_bases (project_id, up_to) values (${projectId}, ${upTo})`,
      )
    },
  }) satisfies Partial<DerivedTables>

/** Deletes the edits of groups, or a rebuild would create the groups again. Edits are few, because people make them. */
async function deleteGroupEdits(
  runner: SqlRunner,
  projectId: number,
  groups: readonly GroupId[],
): Promise<void> {
  const toKey = ({ index, key }: GroupId) => `${index} ${key}`
  const gone = new Set(groups.map(toKey))
  const ofProject = sql`project_id = ${projectId}`
  const rows = await runner.run<{ edit: string }>(
    sql`select edit from group_edits where ${ofProject}`,
  )
  const edits = rows
    .filter(({ edit }) => gone.has(toKey(JSON.parse(edit))))
    .map(({ edit }) => [edit])
  if (edits.length === 0) return
  const given = await runner.given('edits', { edit: 'text' }, edits)
  await runner.run(
    sql`delete from group_edits where ${ofProject} and edit in (select edit from ${given})`,
  )
}
