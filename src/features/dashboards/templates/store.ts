import { type Insertable, type Selectable, sql } from 'kysely'
import { countRows } from '#server/db/count-rows.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { containsText, toSearchKey } from '#server/db/search-key.ts'
import { flag } from '#server/db/values.ts'

export type TemplateRow = Selectable<Schema['dashboard_templates']>

const selectTemplates = (db: Db, projectId: number) =>
  db.selectFrom('dashboard_templates').where('project_id', '=', projectId)

/** Lists a project's templates by name. */
export async function listTemplateRows(
  db: Db,
  projectId: number,
  { search, deleted }: { readonly search: string; readonly deleted: boolean },
  { limit, offset }: PageRange,
): Promise<Slice<TemplateRow>> {
  const matches = selectTemplates(db, projectId)
    .where('deleted', '=', flag(deleted))
    .where(containsText(sql.ref('search_key'), search))
  const count = await countRows(matches)
  const sorted = matches.selectAll().orderBy('search_key').orderBy('id')
  const results = limit > 0 ? await sorted.limit(limit).offset(offset).execute() : []
  return { count, results }
}

export const findTemplateRow = (
  db: Db,
  projectId: number,
  id: string,
): Promise<TemplateRow | undefined> =>
  selectTemplates(db, projectId).selectAll().where('id', '=', id).executeTakeFirst()

/** Finds a live template. */
export const findTemplateRowByName = (
  db: Db,
  projectId: number,
  name: string,
): Promise<TemplateRow | undefined> =>
  selectTemplates(db, projectId)
    .selectAll()
    .where('name', '=', name)
    .where('deleted', '=', 0)
    .executeTakeFirst()

/** Finds a live dashboard, with the columns that a template of it has. */
export const findSourceDashboard = (db: Db, projectId: number, id: number) =>
  db
    .selectFrom('dashboards')
    .select(['name', 'description', 'filters', 'tags'])
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('deleted', '=', 0)
    .executeTakeFirst()

export const insertTemplate = (
  tx: Tx,
  row: Omit<Insertable<Schema['dashboard_templates']>, 'search_key'>,
): Promise<TemplateRow> =>
  tx
    .insertInto('dashboard_templates')
    .values({ ...row, search_key: toSearchKey(row) })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Writes every column of the row. */
export const updateTemplate = (tx: Tx, { id, project_id, ...row }: TemplateRow) =>
  tx
    .updateTable('dashboard_templates')
    .set({ ...row, search_key: toSearchKey(row) })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
