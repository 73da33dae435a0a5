import { sql } from 'kysely'
import type { Sql } from '../event-table.ts'
import { GROUPS_KEY, MAX_GROUP_KEY } from '../groups/group-keys.ts'
import { GROUP_INDEXES } from '../groups/group-types.ts'

const COLUMNS = GROUP_INDEXES.map((index) => `, g${index}`).join('')

/** Selects the names of each project's types as `name0` to `name4`. */
const GROUP_NAMES = `select project_id,
  ${GROUP_INDEXES.map((index) => `max(name) filter (where type_index = ${index}) as name${index}`).join()}
  from group_types group by project_id`

interface GroupInsert {
  readonly names: Sql
  readonly values: Sql
  readonly join: Sql
}

const NO_GROUPS: GroupInsert = { names: sql``, values: sql``, join: sql`` }

/** Returns columns for an insert into `facts` and their values from the documents in `column`, each after a comma. */
export function toGroupInsert(hasGroups: boolean, column: string): GroupInsert {
  if (!hasGroups) return NO_GROUPS
  const values = GROUP_INDEXES.map(
    (index) => sql`, ${toGroupKeySql(column, sql.raw(`group_names.name${index}`))}`,
  )
  return {
    names: sql.raw(COLUMNS),
    values: sql.join(values, sql` `),
    join: sql`left join (${sql.raw(GROUP_NAMES)}) group_names using (project_id)`,
  }
}

export const toTypeNameQuery = (project: Sql, index: number): Sql =>
  sql`(select name from group_types where project_id = ${project} and type_index = ${sql.lit(index)})`

/** Converts the key of a group to text; it must be a text, number or boolean that is not empty. */
export function toGroupKeySql(column: string, name: Sql): Sql {
  const value = sql`(${sql.ref(column)} -> ${sql.lit(GROUPS_KEY)} -> ${name})`
  return sql`nullif(left(case jsonb_typeof(${value}) when 'string' then ${value} #>> '{}'
    when 'number' then property_text(${value}) when 'boolean' then ${value}::text end, ${sql.lit(MAX_GROUP_KEY)}), '')
    collate "C"`
}
