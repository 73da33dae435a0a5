import { sql } from 'kysely'
import { PERSON_UUID } from '#server/analytics/identity/person-uuid.ts'
import { toPropertiesText } from '#server/analytics/properties-text.ts'
import type { DerivedTables, RecordedEdit } from '../derived-tables.ts'
import type { SqlRunner } from './runner.ts'

interface EditRow {
  readonly seq: number
  readonly projectId: number
  readonly edit: string
  readonly isOfGroup: boolean
}

/** `copies` are as in `toPersonTables`. */
export const toEditTables = (
  { run, given, takeNumbers, edits }: SqlRunner,
  copies: readonly string[],
) =>
  ({
    async recordEdit({ seq, projectId, change }) {
      const place = sql`${seq}, ${edits.position}, ${projectId}`
      if ('group' in change) {
        await run(sql`
          insert into group_edits (${edits.seq}, position, project_id, edit)
          values (${place}, ${toPropertiesText({ ...change.group })})`)
      } else {
        await run(sql`
          insert into person_edits (${edits.seq}, position, project_id, distinct_id, edit)
          values (${place}, ${change.person.distinctId}, ${toPropertiesText(change.person)})`)
      }
    },
    async listEdits({ after, upTo }) {
      const isEarly = Number.isFinite(upTo) ? sql`seq <= ${sql.lit(upTo)}` : sql`true`
      const rows = await run<EditRow>(sql`
        select seq::double precision as seq, project_id::double precision as "projectId", edit, "isOfGroup" from (
          select ${edits.seq} as seq, position, project_id, edit, false as "isOfGroup" from person_edits
          union all select ${edits.seq}, position, project_id, edit, true from group_edits
        ) edits left join person_bases using (project_id)
        where seq > ${sql.lit(after)} and ${isEarly} and seq > coalesce(up_to, -1)
        order by edits.seq, position`)
      return rows.map(({ seq, projectId, edit, isOfGroup }): RecordedEdit => {
        const change = JSON.parse(edit)
        return { seq, projectId, change: isOfGroup ? { group: change } : { person: change } }
      })
    },
    async listIds(person) {
      const rows = await run<{ id: string }>(
        sql`select distinct_id as id from person_ids where person = ${person} order by 1`,
      )
      return rows.map(({ id }) => id)
    },
    async separateIds({ projectId, person, ids, hasProfile }) {
      const numbers = await takeNumbers(ids.length)
      const rows = ids.map((id, index) => [id, numbers[index] as number])
      const separated = await given('separated', { id: 'text', new_number: 'bigint' }, rows)
      await run(sql`
        insert into persons (project_id, number, uuid, created_at, has_profile, is_identified, properties)
        select project_id, new_number, ${sql.raw(PERSON_UUID)}, created_at, ${hasProfile}::boolean, false, '{}'
        from (
          select project_id, new_number, created_at, md5(project_id || ':' || id) as hash
          from persons cross join ${separated} where number = ${person}
        ) fresh`)
      for (const table of ['person_ids', ...copies]) {
        await run(sql`
          update ${sql.table(table)} set person = new_number from ${separated}
          where project_id = ${projectId} and person = ${person} and distinct_id = id`)
      }
    },
    async resetUuid(projectId, person, distinctId) {
      await run(sql`
        update persons set uuid = ${sql.raw(PERSON_UUID)}
        from (select md5(${projectId}::bigint || ':' || ${distinctId}::text) as hash) hashes
        where number = ${person}`)
    },
    async deletePerson(person) {
      await run(sql`delete from persons where number = ${person}`)
    },
  }) satisfies Partial<DerivedTables>
