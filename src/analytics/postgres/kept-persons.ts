import { sql } from 'kysely'
import type { Tx } from '#server/db/schema.ts'
import { takeNumbers } from './sequence.ts'

/** Keep the persons whose events expired; a rebuild starts with them. */
export const BASE_TABLES = [
  'create table if not exists person_bases (project_id bigint primary key, up_to bigint not null)',
  'create table if not exists persons_base (like persons including all)',
  'create table if not exists person_ids_base (like person_ids including all)',
]

/** The tables that a rebuild refills. */
export const DERIVED = ['persons', 'person_ids', 'group_profiles']

/** Saves a project's persons and groups, because some of the events behind them are gone. */
export async function keepPersons(tx: Tx, projectId: number): Promise<void> {
  const { numbers, areIdentified } = await takeNumbers(tx, 1)
  if (!areIdentified) return // a rebuild in progress has incomplete persons
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
