import { sql } from 'kysely'
import { incrementVersions } from '#server/analytics/postgres/versions.ts'
import type { Db, Tx } from '#server/db/schema.ts'

/**
 * Notes that a query of a project runs without something that waits. Events make results stale when they are
 * acknowledged, and queries wait for them, so when they arrive, only the results of these queries become stale.
 */
export const noteMissed = (db: Db, projectId: number) =>
  sql`insert into outbox_missed (project_id) values (${projectId}) on conflict do nothing`.execute(
    db,
  )

/** Makes the results of queries stale that ran without what has arrived now. Must run last in the transaction. */
export async function expireMissed(tx: Tx, projects: readonly number[]): Promise<void> {
  const { rows } = await sql<{ project_id: number }>`
    delete from outbox_missed where project_id = any(${projects}::bigint[]) returning project_id`.execute(
    tx,
  )
  if (rows.length === 0) return
  await incrementVersions(
    tx,
    rows.map(({ project_id }) => project_id),
  )
}
