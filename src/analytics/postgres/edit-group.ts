import { sql } from 'kysely'
import type { Db } from '#server/db/schema.ts'
import type { GroupEdit } from '../event-store.ts'
import { toGroupKey } from '../groups/group-keys.ts'
import { applyGroupEdit, canEditGroup } from '../groups/groups.ts'
import { toPropertiesText } from '../properties-text.ts'
import { beingRebuilt } from './edit-person.ts'
import { addEditPositions } from './edit-positions.ts'
import { toGroupTables } from './group-tables.ts'
import { lockPersons } from './locks.ts'
import { takeNumbers } from './sequence.ts'
import { incrementVersions } from './versions.ts'

/** Edits have a number among those of the events, as those of persons do. */
export const GROUP_EDIT_TABLES = [
  'create table if not exists group_edits (seq bigint primary key, project_id bigint not null, edit text not null)',
  addEditPositions('group_edits'),
]

/** Edits a group, and records it. Returns whether it could. */
export const editGroup = (db: Db, projectId: number, given: GroupEdit): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const edit = { ...given, key: toGroupKey(given.key) }
    await lockPersons(tx, new Map([[projectId, 'exclusive']]))
    const { numbers, areIdentified } = await takeNumbers(tx, 1)
    if (!areIdentified) throw beingRebuilt()
    const tables = toGroupTables(tx)
    if (!(await canEditGroup(tables, projectId, edit))) return false
    await applyGroupEdit(tables, projectId, edit)
    await sql`
      insert into group_edits (seq, project_id, edit)
      values (${numbers[0]}, ${projectId}, ${toPropertiesText(edit)})`.execute(tx)
    await incrementVersions(tx, [projectId])
    return true
  })
