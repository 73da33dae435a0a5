import type { Selectable } from 'kysely'
import type { Db, Schema } from '#server/db/schema.ts'

type Names = Omit<Selectable<Schema['group_type_names']>, 'project_id'>

export async function listGroupTypeNames(
  db: Db,
  projectId: number,
): Promise<ReadonlyMap<string, Names>> {
  const rows = await db
    .selectFrom('group_type_names')
    .select(['group_type', 'name_singular', 'name_plural'])
    .where('project_id', '=', projectId)
    .orderBy('group_type')
    .execute()
  return new Map(rows.map((row) => [row.group_type, row]))
}

export async function upsertGroupTypeNames(
  db: Db,
  projectId: number,
  { group_type, name_singular, name_plural }: Names,
): Promise<void> {
  const names = { name_singular, name_plural }
  await db
    .insertInto('group_type_names')
    .values({ project_id: projectId, group_type, ...names })
    .onConflict((conflict) => conflict.columns(['project_id', 'group_type']).doUpdateSet(names))
    .execute()
}
