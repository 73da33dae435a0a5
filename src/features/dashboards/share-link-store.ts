import { randomBytes } from 'node:crypto'
import type { Insertable } from 'kysely'
import { compileOnce } from '#server/db/compile-once.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { inSeconds, now } from '#server/db/values.ts'

/** A replaced link works this much longer. */
const GRACE_SECONDS = 300

/** 176 random bits, without characters that a URL would escape. */
const newToken = (): string => randomBytes(22).toString('base64url')

const insertRow = compileOnce((db: Db, row: Insertable<Schema['share_links']>) =>
  db.insertInto('share_links').values(row),
)

export async function insertLink(tx: Tx, projectId: number, dashboardId: number): Promise<void> {
  const link = { project_id: projectId, dashboard_id: dashboardId, created_at: now() }
  await insertRow(tx, { token: newToken(), ...link })
}

export function findCurrentLink(db: Db, projectId: number, dashboardId: number) {
  return db
    .selectFrom('share_links')
    .select(['token', 'created_at'])
    .where('project_id', '=', projectId)
    .where('dashboard_id', '=', dashboardId)
    .where('expires_at', 'is', null)
    .executeTakeFirstOrThrow()
}

/** Finds the dashboard of a link that is enabled and not expired. */
export function findSharedDashboard(db: Db, token: string) {
  return db
    .selectFrom('share_links')
    .innerJoin('dashboards', 'dashboards.id', 'share_links.dashboard_id')
    .selectAll('dashboards')
    .where('token', '=', token)
    .where('is_shared', '=', 1)
    .where('deleted', '=', 0)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now())]))
    .executeTakeFirst()
}

export async function retireCurrentLink(
  tx: Tx,
  projectId: number,
  dashboardId: number,
): Promise<void> {
  await tx
    .updateTable('share_links')
    .set({ expires_at: inSeconds(GRACE_SECONDS) })
    .where('project_id', '=', projectId)
    .where('dashboard_id', '=', dashboardId)
    .where('expires_at', 'is', null)
    .execute()
}

/** Deletes the replaced links that expired before a time, or all of them. */
export async function deleteRetiredLinks(
  tx: Tx,
  projectId: number,
  dashboardId: number,
  { before }: { before?: string } = {},
): Promise<void> {
  let links = tx
    .deleteFrom('share_links')
    .where('project_id', '=', projectId)
    .where('dashboard_id', '=', dashboardId)
    .where('expires_at', 'is not', null)
  if (before) links = links.where('expires_at', '<', before)
  await links.execute()
}
