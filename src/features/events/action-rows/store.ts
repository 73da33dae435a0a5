import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { countRows } from '#server/db/count-rows.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { containsText, toSearchKey } from '#server/db/search-key.ts'
import { flag } from '#server/db/values.ts'

export type ActionRow = Selectable<Schema['actions']>

const selectActions = (db: Db, projectId: number) =>
  db.selectFrom('actions').where('project_id', '=', projectId)

/** Lists actions by name. */
export async function listActionRows(
  db: Db,
  projectId: number,
  { search = '', deleted = false }: { readonly search?: string; readonly deleted?: boolean },
  { limit, offset }: PageRange,
): Promise<Slice<ActionRow>> {
  const matches = selectActions(db, projectId)
    .where('deleted', '=', flag(deleted))
    .where(containsText(sql.ref('search_key'), search))
  const byName = matches.selectAll().orderBy('search_key').orderBy('id')
  const results = await byName.limit(limit).offset(offset).execute()
  return { count: await countRows(matches), results }
}

/** Finds an action, even in the trash. */
export const findAction = (db: Db, projectId: number, id: number): Promise<ActionRow | undefined> =>
  selectActions(db, projectId).selectAll().where('id', '=', id).executeTakeFirst()

/** Finds the actions with these IDs and names, without the trash, in the order of their IDs. */
export const findLiveActions = (
  db: Db,
  projectId: number,
  keys: readonly (number | string)[],
): Promise<ActionRow[]> => {
  const ids = keys.filter((key) => typeof key === 'number')
  const names = keys.filter((key) => typeof key === 'string')
  return selectActions(db, projectId)
    .selectAll()
    .where('deleted', '=', 0)
    .where((eb) =>
      eb.or([
        ...(ids.length > 0 ? [eb('id', 'in', ids)] : []),
        ...(names.length > 0 ? [eb('name', 'in', names)] : []),
      ]),
    )
    .orderBy('id')
    .execute()
}

/** Lists the actions outside the trash with this name. */
export const listNamedActions = (db: Db, projectId: number, name: string): Promise<ActionRow[]> =>
  selectActions(db, projectId)
    .selectAll()
    .where('deleted', '=', 0)
    .where('name', '=', name)
    .execute()

/** Reads a number that grows with every change of an action, since actions are never deleted for good. */
export async function readActionRevision(db: Db, projectId: number): Promise<number> {
  const { sum } = await selectActions(db, projectId)
    .select((eb) => eb.fn.sum<number | string | null>('version').as('sum'))
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

export const insertAction = (
  tx: Tx,
  row: Omit<Insertable<Schema['actions']>, 'search_key'>,
): Promise<ActionRow> =>
  tx
    .insertInto('actions')
    .values({ ...row, search_key: toSearchKey(row) })
    .returningAll()
    .executeTakeFirstOrThrow()

export const updateAction = (
  tx: Tx,
  before: ActionRow,
  columns: Updateable<Schema['actions']>,
): Promise<ActionRow> => {
  const { name, description, tags } = { ...before, ...columns }
  return tx
    .updateTable('actions')
    .set({
      ...columns,
      search_key: toSearchKey({ name, description, tags }),
      version: before.version + 1,
    })
    .where('project_id', '=', before.project_id)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
