import type { DuckDBConnection } from '@duckdb/node-api'
import type { GroupEdit } from '../event-store.ts'
import { toGroupKey } from '../groups/group-keys.ts'
import { applyGroupEdit, canEditGroup } from '../groups/groups.ts'
import { toPropertiesText } from '../properties-text.ts'
import { toGroupTables } from './group-tables.ts'
import { readRows } from './read-rows.ts'

/** Edits are kept as those of persons are, so that a rebuild repeats them at the same place. */
export const GROUP_EDIT_TABLES = [
  `create table if not exists group_edits (
    project_id bigint not null,
    after_seq bigint not null,
    position bigint not null,
    edit varchar not null
  )`,
]

/** Edits a group, and records it. Returns whether it could. */
export async function editGroup(
  connection: DuckDBConnection,
  projectId: number,
  given: GroupEdit,
  afterSeq: number,
): Promise<boolean> {
  const edit = { ...given, key: toGroupKey(given.key) }
  const tables = toGroupTables(connection)
  if (!(await canEditGroup(tables, projectId, edit))) return false
  await applyGroupEdit(tables, projectId, edit)
  await connection.run(
    `insert into group_edits
      values ($projectId::bigint, $afterSeq::bigint, nextval('person_edit_positions'), $edit)`,
    { projectId, afterSeq, edit: toPropertiesText(edit) },
  )
  return true
}

/** Repeats the edits that were made after an event, or before all of them. */
export async function repeatGroupEdits(
  connection: DuckDBConnection,
  afterSeq: number,
): Promise<void> {
  const edits = await readRows<[number, string]>(
    connection,
    `select project_id::double, edit from group_edits left join person_bases using (project_id)
      where after_seq = ${afterSeq} and after_seq > coalesce(up_to, -1) order by position`,
  )
  for (const [projectId, edit] of edits) {
    await applyGroupEdit(toGroupTables(connection), projectId, JSON.parse(edit))
  }
}
