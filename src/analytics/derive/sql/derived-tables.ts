import { sql } from 'kysely'
import type { Sql } from '#server/analytics/event-table.ts'
import { PERSON_UUID } from '#server/analytics/identity/person-uuid.ts'
import {
  DERIVED_TABLES,
  ID_TABLES,
  PERSONS_AND_IDS,
  PROJECT_TABLES,
} from '#server/analytics/project-tables.ts'
import { toPropertiesText } from '#server/analytics/properties-text.ts'
import type { DerivedTables, Range, RecordedEdit, SeparatedIds } from '../derived-tables.ts'
import { toGroupTables } from './group-tables.ts'
import { toPersonTables } from './person-tables.ts'
import type { SqlRunner } from './runner.ts'

/** The methods of an engine that number, store and read events. */
type OfEvents =
  | 'takePlace'
  | 'deleteEvents'
  | 'deleteMatching'
  | 'restoreKept'
  | 'findMark'
  | 'setMark'
  | 'readStep'

/** Keeps persons, groups and edits in SQL tables. `copies` are as in `toPersonTables`. */
export const toSqlTables = (
  runner: SqlRunner,
  copies: readonly string[],
): Omit<DerivedTables, OfEvents> => ({
  persons: toPersonTables(runner, copies),
  groups: toGroupTables(runner),
  recordEdit: (edit) => recordEdit(runner, edit),
  listEdits: (range) => listEdits(runner, range),
  async listIds(person) {
    const rows = await runner.run<{ id: string }>(
      sql`select distinct_id as id from person_ids where person = ${person} order by 1`,
    )
    return rows.map(({ id }) => id)
  },
  separateIds: (separated) => separateIds(runner, separated, ['person_ids', ...copies]),
  async resetUuid(projectId, person, distinctId) {
    await runner.run(sql`
      update persons set uuid = ${sql.raw(PERSON_UUID)}
      from (select md5(${projectId}::bigint || ':' || ${distinctId}::text) as hash) hashes
      where number = ${person}`)
  },
  async deletePerson(person) {
    await runner.run(sql`delete from persons where number = ${person}`)
  },
  deleteIds: (projectId, ids, onlyUnshared) => deleteIds(runner, projectId, ids, onlyUnshared),
  listUnused: (projectId, ids) => listUnused(runner, projectId, ids),
  async deleteProject(projectId) {
    for (const table of PROJECT_TABLES) {
      await runner.run(sql`delete from ${sql.table(table)} where project_id = ${projectId}`)
    }
  },
  keepPersons: (projectId, upTo) => keepPersons(runner, projectId, upTo),
})

async function recordEdit(
  { run, edits }: SqlRunner,
  { seq, projectId, change }: RecordedEdit,
): Promise<void> {
  if ('group' in change) {
    await run(sql`
      insert into group_edits (${edits.seq}, position, project_id, edit)
      values (${seq}, ${edits.position}, ${projectId}, ${toPropertiesText({ ...change.group })})`)
    return
  }
  const { person } = change
  await run(sql`
    insert into person_edits (${edits.seq}, position, project_id, distinct_id, edit)
    values (${seq}, ${edits.position}, ${projectId}, ${person.distinctId}, ${toPropertiesText(person)})`)
}

async function listEdits({ run, edits }: SqlRunner, { after, upTo }: Range) {
  const isInRange = [
    sql`seq > ${sql.lit(after)}`,
    ...(Number.isFinite(upTo) ? [sql`seq <= ${sql.lit(upTo)}`] : []),
  ]
  const rows = await run<{ seq: number; projectId: number; edit: string; isOfGroup: boolean }>(sql`
    select seq::double precision as seq, project_id::double precision as "projectId", edit, "isOfGroup" from (
      select ${edits.seq} as seq, position, project_id, edit, false as "isOfGroup" from person_edits
      union all select ${edits.seq}, position, project_id, edit, true from group_edits
    ) edits left join person_bases using (project_id)
    where ${sql.join(isInRange, sql` and `)} and seq > coalesce(up_to, -1)
    order by edits.seq, position`)
  return rows.map(({ edit, isOfGroup, ...place }): RecordedEdit => {
    const change = JSON.parse(edit)
    return { ...place, change: isOfGroup ? { group: change } : { person: change } }
  })
}

async function separateIds(
  runner: SqlRunner,
  { projectId, person, ids, hasProfile }: SeparatedIds,
  tables: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const numbers = await runner.takeNumbers(ids.length)
  const given = await runner.given(
    'separated',
    { id: 'text', new_number: 'bigint' },
    ids.map((id, index) => [id, numbers[index] as number]),
  )
  await runner.run(sql`
    insert into persons (project_id, number, uuid, created_at, has_profile, is_identified, properties)
    select project_id, new_number, ${sql.raw(PERSON_UUID)}, created_at, ${hasProfile}::boolean, false, '{}'
    from (
      select project_id, new_number, created_at, md5(project_id || ':' || id) as hash
      from persons cross join ${given} where number = ${person}
    ) fresh`)
  for (const table of tables) {
    await runner.run(sql`
      update ${sql.table(table)} set person = new_number from ${given}
      where project_id = ${projectId} and person = ${person} and distinct_id = id`)
  }
}

/** Makes IDs the source of a FROM, with the column `id`. */
export const toGone = (runner: SqlRunner, ids: readonly string[]): Promise<Sql> =>
  runner.given(
    'gone',
    { id: 'text' },
    ids.map((id) => [id]),
  )

async function deleteIds(
  runner: SqlRunner,
  projectId: number,
  ids: readonly string[],
  onlyUnshared: boolean,
): Promise<void> {
  if (ids.length === 0) return
  const gone = await toGone(runner, ids)
  const which = sql`project_id = ${projectId} and distinct_id in (select id from ${gone})`
  for (const [persons, personIds] of PERSONS_AND_IDS) {
    const others = sql`project_id = ${projectId} and person = number
      and not exists (select 1 from ${gone} where id = distinct_id)`
    const isUnshared = onlyUnshared
      ? sql`and not exists (select 1 from ${sql.table(personIds)} where ${others})`
      : sql``
    await runner.run(sql`
      delete from ${sql.table(persons)}
      where number in (select person from ${sql.table(personIds)} where ${which}) ${isUnshared}`)
  }
  for (const table of ID_TABLES) {
    await runner.run(sql`delete from ${sql.table(table)} where ${which}`)
  }
}

async function listUnused(
  runner: SqlRunner,
  projectId: number,
  ids: readonly string[],
): Promise<string[]> {
  const ofProject = sql`project_id = ${projectId}`
  const unused = await runner.run<{ id: string }>(sql`
    select id from ${await toGone(runner, ids)} except select distinct_id from events where ${ofProject}`)
  const given = await toGone(
    runner,
    unused.map(({ id }) => id),
  )
  // an ID that was only merged has no events, and would keep a person who has none either
  const merged = await runner.run<{ id: string }>(sql`
    select distinct_id as id from person_ids where ${ofProject}
      and person in (select person from person_ids where ${ofProject} and distinct_id in (select id from ${given}))
      and person not in (
        select person from person_ids where ${ofProject}
          and not exists (select 1 from ${given} where id = distinct_id)
          and distinct_id in (select distinct_id from events where ${ofProject}
            union all select distinct_id from person_ids_base where ${ofProject}))`)
  return [...new Set([...unused, ...merged].map(({ id }) => id))]
}

async function keepPersons({ run }: SqlRunner, projectId: number, upTo: number): Promise<void> {
  for (const table of DERIVED_TABLES) {
    const base = sql.table(`${table}_base`)
    await run(sql`delete from ${base} where project_id = ${projectId}`)
    await run(
      sql`insert into ${base} select * from ${sql.table(table)} where project_id = ${projectId}`,
    )
  }
  await run(sql`delete from person_bases where project_id = ${projectId}`)
  await run(sql`insert into person_bases (project_id, up_to) values (${projectId}, ${upTo})`)
}
