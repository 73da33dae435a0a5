import type { Insertable, Selectable, Updateable } from 'kysely'
import { countRows } from '#server/db/count-rows.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'

export type ViewRow = Selectable<Schema['saved_views']>

/** The list or dashboard that offers a view. */
export type ViewPlace = Pick<ViewRow, 'page' | 'dashboard_id'>

const selectViews = (db: Db, projectId: number) =>
  db.selectFrom('saved_views').where('project_id', '=', projectId)

/** Lists saved views, the oldest first. */
export async function listViewRows(
  db: Db,
  projectId: number,
  { page, dashboard_id }: Partial<ViewPlace>,
  { limit, offset }: PageRange,
): Promise<Slice<ViewRow>> {
  const matches = selectViews(db, projectId)
    .$if(page !== undefined, (found) => found.where('page', '=', page as ViewRow['page']))
    .$if(dashboard_id !== undefined, (found) =>
      found.where('dashboard_id', '=', dashboard_id as number),
    )
  const results = await matches.selectAll().orderBy('id').limit(limit).offset(offset).execute()
  return { count: await countRows(matches), results }
}

/** Lists the views of one place. */
export const listViewsOfPlace = (
  db: Db,
  projectId: number,
  { page, dashboard_id }: ViewPlace,
): Promise<ViewRow[]> =>
  selectViews(db, projectId)
    .selectAll()
    .where('page', '=', page)
    .where('dashboard_id', dashboard_id === null ? 'is' : '=', dashboard_id)
    .orderBy('id')
    .execute()

export const findView = (db: Db, projectId: number, id: number): Promise<ViewRow | undefined> =>
  selectViews(db, projectId).selectAll().where('id', '=', id).executeTakeFirst()

export const insertView = (tx: Tx, row: Insertable<Schema['saved_views']>): Promise<ViewRow> =>
  tx.insertInto('saved_views').values(row).returningAll().executeTakeFirstOrThrow()

export const updateView = (
  tx: Tx,
  { project_id, id, name }: ViewRow,
  columns: Updateable<Schema['saved_views']>,
): Promise<ViewRow> =>
  tx
    .updateTable('saved_views')
    .set({ name, ...columns })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteView = (tx: Tx, { project_id, id }: ViewRow) =>
  tx.deleteFrom('saved_views').where('project_id', '=', project_id).where('id', '=', id).execute()
