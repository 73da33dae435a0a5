import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/schema.ts'
import { toGroupTables } from '../derive/sql/group-tables.ts'
import { GROUP_EVENT, GROUP_EVENT_KEYS, GROUPS_KEY } from '../groups/group-keys.ts'
import { GROUP_INDEXES, type NamedType } from '../groups/group-types.ts'
import { addNamedTypes } from '../groups/groups.ts'
import { fillColumns } from './fill-columns.ts'
import { toGroupKeySql, toTypeNameQuery } from './group-keys-sql.ts'
import { lockAllPersons } from './locks.ts'
import { toRunner } from './runner.ts'

const HAS_GROUPS = sql`(events.event = ${GROUP_EVENT} or events.properties ? ${sql.lit(GROUPS_KEY)})`

/**
 * Finds the types of groups that events of a version without groups name, and gives their facts the keys. `forget` has
 * the groups themselves derived again.
 */
export async function catchUpGroups(db: Db, forget: (tx: Tx) => Promise<void>): Promise<void> {
  if (!(await isBehind(db))) return
  const { rows } = await sql`select 1 from events where ${HAS_GROUPS} limit 1`.execute(db)
  const hasGroups = rows.length > 0
  if (hasGroups) {
    await db.transaction().execute(async (tx) => {
      await lockAllPersons(tx)
      await addNamedTypes(toGroupTables(toRunner(tx)), await findNamedTypes(tx))
    })
    await fillColumns(db, KEY_COLUMNS)
  }
  await db.transaction().execute(async (tx) => {
    await lockAllPersons(tx)
    if (!(await isBehind(tx))) return // another server was faster
    if (hasGroups) await forget(tx)
    await sql`update event_store set has_groups = true`.execute(tx)
  })
}

async function isBehind(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from event_store where not has_groups`.execute(db)
  return rows.length > 0
}

const [TYPE_KEY] = GROUP_EVENT_KEYS

async function findNamedTypes(tx: Tx): Promise<NamedType[]> {
  const { rows } = await sql<NamedType>`
    select distinct on (project_id, name) project_id as "projectId", name, seq, distinct_id as "distinctId",
      floor(extract(epoch from timestamp) * 1000)::bigint as timestamp
    from (
      select facts.*, names.name from facts
      join events using (project_id, timestamp, uuid)
      cross join lateral (
        select jsonb_object_keys(case when jsonb_typeof(properties -> ${sql.lit(GROUPS_KEY)}) = 'object'
          then properties -> ${sql.lit(GROUPS_KEY)} else '{}' end) as name
        union all
        select properties ->> ${sql.lit(TYPE_KEY)} where events.event = ${GROUP_EVENT}
      ) names
      where ${HAS_GROUPS} and names.name is not null
    ) named order by project_id, name, seq`.execute(tx)
  return rows
}

const KEY_COLUMNS = GROUP_INDEXES.map((index) => ({
  column: sql.raw(`g${index}`),
  value: sql`case when events.properties ? ${sql.lit(GROUPS_KEY)}
    then ${toGroupKeySql('events.properties', toTypeNameQuery(sql`events.project_id`, index))} end`,
}))
