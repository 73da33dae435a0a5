import { isObject } from '#model/json.ts'
import type { FilterContext } from '#server/analytics/queries/filters.ts'
import { mentionsImports } from '#server/analytics/queries/sql/imports.ts'
import type { Db } from '#server/db/schema.ts'
import { readImportRows } from '#server/features/import-apps/health/sql-rows.ts'

/** Adds to the context of a query the import tables, if its SQL may name them. */
export async function withImports<Context extends FilterContext>(
  db: Db,
  projectId: number,
  context: Context,
  source: unknown,
): Promise<Context> {
  const readsThem =
    isObject(source) && source.kind === 'HogQLQuery' && mentionsImports(String(source.query))
  return readsThem ? { ...context, imports: await readImportRows(db, projectId) } : context
}
