import { sql } from 'kysely'
import type { Sql } from './event-table.ts'
import type { StoredColumns } from './stored-columns.ts'

interface Column {
  readonly name: string
  readonly value: Sql
}

/** Reads properties of a JSON column as columns whose names begin with their owner: `person`, `group_0`. */
export type ToTexts = (
  owner: string,
  document: string,
  keys: readonly string[],
) => readonly Column[]

/** Tells whether a statement joins persons or groups. */
export const hasProfiles = ({
  personProperties,
  personUuid,
  groupProperties,
}: StoredColumns): boolean => personUuid || personProperties.length > 0 || groupProperties.size > 0

/** Joins persons and groups to events, only if the statement reads them. */
export function withProfiles(
  events: Sql,
  project: Sql,
  stored: StoredColumns,
  toTexts: ToTexts,
): Sql {
  if (!hasProfiles(stored)) return events
  const { personProperties, personUuid, groupProperties } = stored
  const ofPersons = [
    ...(personUuid ? [{ name: 'person_uuid', value: sql`persons.uuid::text` }] : []),
    ...toTexts('person', 'persons.properties', personProperties),
  ]
  const ofGroups = [...groupProperties].map(([index, keys]) => {
    const columns = toTexts(`group_${index}`, 'group_profiles.properties', keys)
    return { index, columns }
  })
  const joins = [
    ...(ofPersons.length > 0
      ? [
          sql`left join (
            select number, ${select(ofPersons)} from persons where project_id = ${project}
          ) persons on number = person`,
        ]
      : []),
    ...ofGroups.map(({ index, columns }) => {
      const joined = sql.raw(`group_${index}_key`)
      return sql`left join (
        select key as ${joined}, ${select(columns)}
        from group_profiles where project_id = ${project} and type_index = ${sql.lit(index)}
      ) ${sql.raw(`groups_${index}`)} on ${joined} = ${sql.raw(`g${index}`)}`
    }),
  ]
  const added = [...ofPersons, ...ofGroups.flatMap(({ columns }) => columns)]
  const names = added.map(({ name }) => sql.raw(name))
  return sql`(select events.*, ${sql.join(names)} from ${events} events ${sql.join(joins, sql` `)})`
}

const select = (columns: readonly Column[]): Sql =>
  sql.join(columns.map(({ name, value }) => sql`${value} as ${sql.raw(name)}`))
