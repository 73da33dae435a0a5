import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { countRows } from '#server/db/count-rows.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { containsText, toSearchKey } from '#server/db/search-key.ts'
import { flag } from '#server/db/values.ts'

export type CohortRow = Selectable<Schema['cohorts']>

const selectCohorts = (db: Db, projectId: number) =>
  db.selectFrom('cohorts').where('project_id', '=', projectId)

/** Lists cohorts, newest first. */
export async function listCohortRows(
  db: Db,
  projectId: number,
  { search = '', deleted = false }: { readonly search?: string; readonly deleted?: boolean },
  { limit, offset }: PageRange,
): Promise<Slice<CohortRow>> {
  const matches = selectCohorts(db, projectId)
    .where('deleted', '=', flag(deleted))
    .where(containsText(sql.ref('search_key'), search))
  const newestFirst = matches.selectAll().orderBy('id', 'desc')
  const results = await newestFirst.limit(limit).offset(offset).execute()
  return { count: await countRows(matches), results }
}

/** Lists the cohorts that are not in the trash. */
export const listLiveCohorts = (db: Db, projectId: number): Promise<CohortRow[]> =>
  selectCohorts(db, projectId).selectAll().where('deleted', '=', 0).orderBy('id').execute()

/** Finds a cohort, even in the trash. */
export const findCohort = (db: Db, projectId: number, id: number): Promise<CohortRow | undefined> =>
  selectCohorts(db, projectId).selectAll().where('id', '=', id).executeTakeFirst()

/** Reads a number that grows with every change of a cohort, since cohorts are never deleted for good. */
export async function readCohortRevision(db: Db, projectId: number): Promise<number> {
  const { sum } = await selectCohorts(db, projectId)
    .select((eb) => eb.fn.sum<number | string | null>('version').as('sum'))
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

export const insertCohort = (
  tx: Tx,
  row: Omit<Insertable<Schema['cohorts']>, 'search_key'>,
): Promise<CohortRow> =>
  tx
    .insertInto('cohorts')
    .values({ ...row, search_key: toSearchKey(row) })
    .returningAll()
    .executeTakeFirstOrThrow()

export const updateCohort = (
  tx: Tx,
  before: CohortRow,
  columns: Updateable<Schema['cohorts']>,
): Promise<CohortRow> => {
  const { name = before.name, description = before.description } = columns
  return tx
    .updateTable('cohorts')
    .set({
      ...columns,
      search_key: toSearchKey({ name, description }),
      version: before.version + 1,
    })
    .where('project_id', '=', before.project_id)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
