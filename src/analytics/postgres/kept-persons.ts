import { sql } from 'kysely'
import type { Tx } from '#server/db/schema.ts'
import { takeNumbers } from './sequence.ts'

/** Keeps the persons whose events were deleted for their age: a rebuild begins with them. */
export const BASE_TABLES = [
  'create table if not exists person_bases (project_id bigint primary key, up_to bigint not null)',
  'create table if not exists persons_base (like persons including all)',
  'create table if not exists person_ids_base (like person_ids including all)',
]

/** Tables that a rebuild fills again. */
export const DERIVED = ['persons', 'person_ids', 'group_profiles']

/** Remembers a project's persons and groups as they are, because some of the events that made them are gone. */
export async function keepPersons(tx: Tx, projectId: number): Promise<void> {
  const { numbers, areIdentified } = await takeNumbers(tx, 1)
  if (!areIdentified) return // what is being derived is not complete
  for (const table of DERIVED) {
    const base = sql.table(`${table}_base`)
    await sql`delete from ${base} where project_id = ${projectId}`.execute(tx)
    await sql`
      insert into ${base} select * from ${sql.table(table)} where project_id = ${projectId}`.execute(
      tx,
    )
  }
  await sql`
    insert into person_bases (project_id, up_to) values (${projectId}, ${numbers[0]})
    on conflict (project_id) do update set up_to = excluded.up_to`.execute(tx)
}
