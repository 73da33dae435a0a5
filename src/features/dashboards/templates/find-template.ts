import type { Db } from '#server/db/schema.ts'
import { findBuiltIn } from './built-in.ts'
import { findTemplateRowByName } from './store.ts'
import type { Template } from './template.ts'
import { toTemplateTiles } from './to-tiles.ts'

/** By its exact name: the built-in ones first, so that nobody's own is taken for one of them. */
export async function findTemplate(
  db: Db,
  projectId: number,
  name: string,
): Promise<Template | undefined> {
  const builtIn = findBuiltIn(name)
  if (builtIn) return builtIn
  const row = await findTemplateRowByName(db, projectId, name)
  return (
    row && {
      name: row.name,
      description: row.description,
      filters: JSON.parse(row.filters),
      tags: JSON.parse(row.tags),
      tiles: toTemplateTiles(JSON.parse(row.tiles)),
    }
  )
}
