import { randomBytes } from 'node:crypto'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { compileOnce } from '#server/db/compile-once.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { inSeconds, now } from '#server/db/values.ts'

export type LinkRow = Selectable<Schema['share_links']>
type NewLink = Omit<Insertable<Schema['share_links']>, 'token'>

/** The dashboard or the insight that a link leads to. */
export type LinkTarget = { readonly dashboard_id: number } | { readonly insight_id: number }

/** A replaced link works this much longer. */
const GRACE_SECONDS = 300

/** 176 random bits, without characters that a URL would escape. */
const newToken = (): string => randomBytes(22).toString('base64url')

const insertRow = compileOnce((db: Db, row: Insertable<Schema['share_links']>) =>
  db.insertInto('share_links').values(row),
)

export async function insertFirstLink(
  tx: Tx,
  projectId: number,
  dashboardId: number,
): Promise<void> {
  await insertRow(tx, {
    token: newToken(),
    project_id: projectId,
    dashboard_id: dashboardId,
    is_first: 1,
    created_at: now(),
  })
}

export const insertLink = (tx: Tx, link: NewLink): Promise<LinkRow> =>
  tx
    .insertInto('share_links')
    .values({ ...link, token: newToken() })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Lists the links of a dashboard or an insight, the first one first. */
export const listLinkRows = (db: Db, projectId: number, target: LinkTarget): Promise<LinkRow[]> =>
  selectLinks(db, projectId, target).orderBy('is_first', 'desc').orderBy('id').execute()

export const findFirstLink = (db: Db, projectId: number, dashboardId: number): Promise<LinkRow> =>
  selectLinks(db, projectId, { dashboard_id: dashboardId })
    .where('is_first', '=', 1)
    .executeTakeFirstOrThrow()

export const findLink = (
  db: Db,
  projectId: number,
  target: LinkTarget,
  id: number,
): Promise<LinkRow | undefined> =>
  selectLinks(db, projectId, target).where('id', '=', id).executeTakeFirst()

const selectLinks = (db: Db, projectId: number, target: LinkTarget) =>
  db
    .selectFrom('share_links')
    .selectAll()
    .where('project_id', '=', projectId)
    .where((eb) => eb.and(target))

/** Finds the link of a token, or of one that was replaced a moment ago. */
export const findLinkByToken = (db: Db, token: string): Promise<LinkRow | undefined> =>
  db
    .selectFrom('share_links')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('token', '=', token),
        eb(
          'id',
          'in',
          eb
            .selectFrom('replaced_links')
            .select('link_id')
            .where('replaced_links.token', '=', token)
            .where('replaced_links.expires_at', '>', now()),
        ),
      ]),
    )
    .executeTakeFirst()

export const updateLink = (
  tx: Tx,
  { id, label }: LinkRow,
  columns: Updateable<Schema['share_links']>,
): Promise<LinkRow> =>
  tx
    .updateTable('share_links')
    .set({ label, ...columns })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export async function deleteLink(tx: Tx, { id }: LinkRow): Promise<void> {
  await tx.deleteFrom('share_links').where('id', '=', id).execute()
}

/** Gives a link another token. The one before works a little longer. */
export async function replaceToken(tx: Tx, { id, token }: LinkRow): Promise<void> {
  await tx
    .insertInto('replaced_links')
    .values({ token, link_id: id, expires_at: inSeconds(GRACE_SECONDS) })
    .execute()
  await tx
    .updateTable('share_links')
    .set({ token: newToken(), created_at: now() })
    .where('id', '=', id)
    .execute()
}

/** Deletes the replaced tokens of a link that expired before a time, or all of them. */
export async function deleteReplacedTokens(
  tx: Tx,
  { id }: LinkRow,
  { before }: { before?: string } = {},
): Promise<void> {
  let tokens = tx.deleteFrom('replaced_links').where('link_id', '=', id)
  if (before) tokens = tokens.where('expires_at', '<', before)
  await tokens.execute()
}

/** Counts a view and tells whether the link allows another one: one statement, so that two visitors cannot share the last. */
export async function insertView(
  tx: Tx,
  linkId: number,
  guest: string | undefined,
): Promise<boolean> {
  const at = now()
  const day = at.slice(0, 10)
  const { numUpdatedRows } = await tx
    .updateTable('share_links')
    .set((eb) => ({ views: eb('views', '+', 1), last_viewed_at: at }))
    .where('id', '=', linkId)
    .where((eb) => eb.or([eb('max_views', 'is', null), eb('views', '<', eb.ref('max_views'))]))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await tx
    .insertInto('link_views')
    .values({ link_id: linkId, day, views: 1 })
    .onConflict((conflict) =>
      conflict.columns(['link_id', 'day']).doUpdateSet({ views: sql`link_views.views + 1` }),
    )
    .execute()
  if (guest !== undefined) {
    await tx
      .insertInto('link_guest_views')
      .values({ link_id: linkId, address: guest, day, views: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(['link_id', 'address', 'day'])
          .doUpdateSet({ views: sql`link_guest_views.views + 1` }),
      )
      .execute()
  }
  return true
}

/** Lists the days on which a link was viewed, the newest first. */
export const listViewDays = (db: Db, linkId: number, limit: number) =>
  db
    .selectFrom('link_views')
    .select(['day', 'views'])
    .where('link_id', '=', linkId)
    .orderBy('day', 'desc')
    .limit(limit)
    .execute()

/** Lists the days on which one guest viewed a link, the newest first. */
export const listViewDaysOfGuest = (db: Db, linkId: number, guest: string, limit: number) =>
  db
    .selectFrom('link_guest_views')
    .select(['day', 'views'])
    .where('link_id', '=', linkId)
    .where('address', '=', guest)
    .orderBy('day', 'desc')
    .limit(limit)
    .execute()

/** Lists the guests who opened a link, the last ones first. */
export async function listGuestViews(db: Db, linkId: number, limit: number) {
  const rows = await db
    .selectFrom('link_guest_views')
    .select((eb) => [
      'address as email',
      eb.fn.sum<number | string>('views').as('views'),
      eb.fn.max('day').as('last_day'),
    ])
    .where('link_id', '=', linkId)
    .groupBy('address')
    .orderBy('last_day', 'desc')
    .orderBy('address')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, views: Number(row.views) }))
}
