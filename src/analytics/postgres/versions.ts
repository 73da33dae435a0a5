import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/schema.ts'

/** Must run last in a transaction; updates in order, so that lock holders wait only for other versions. */
export async function incrementVersions(tx: Tx, projects: readonly number[]): Promise<void> {
  await sql`
    insert into event_versions (project_id, version)
    select project_id, 1 from unnest(${projects}::bigint[]) as given (project_id) order by project_id
    on conflict (project_id) do update set version = event_versions.version + 1`.execute(tx)
}

export async function readVersion(db: Db, projectId: number): Promise<string> {
  const { rows } = await sql<{ version: number }>`
    select version from event_versions where project_id = ${projectId}`.execute(db)
  return String(rows[0]?.version ?? 0)
}
