import type { Insertable, Selectable } from 'kysely'
import type { Db, Schema } from '#server/db/schema.ts'

/** The description, owner, tags and marks of one name. */
export type DetailsRow = Selectable<Schema['definition_details']>
export type DefinitionType = DetailsRow['type']

export function listDetails(
  db: Db,
  projectId: number,
  type: DefinitionType,
): Promise<readonly DetailsRow[]> {
  return db
    .selectFrom('definition_details')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('type', '=', type)
    .orderBy('id')
    .execute()
}

/** Inserts or replaces the details of a name. */
export function upsertDetails(
  db: Db,
  row: Insertable<Schema['definition_details']>,
): Promise<DetailsRow> {
  const { id: _, project_id: __, uuid: ___, ...fields } = row
  return db
    .insertInto('definition_details')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project_id', 'uuid']).doUpdateSet(fields))
    .returningAll()
    .executeTakeFirstOrThrow()
}
