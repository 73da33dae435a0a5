import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { jsonArrayItems } from '#server/db/dialect.ts'
import type { Db } from '#server/db/schema.ts'

export const UsedTag = Type.Object(
  {
    name: Type.String(),
    count: Type.Integer({ description: 'Number of dashboards or insights with this tag.' }),
  },
  { title: 'UsedTag', additionalProperties: false },
)
export type UsedTag = Static<typeof UsedTag>

const MAX_TAGS = 1000

/** Lists the tags of a project's live dashboards or insights, most used first. */
export async function listUsedTags(
  db: Db,
  projectId: number,
  table: 'dashboards' | 'insights',
): Promise<UsedTag[]> {
  const items = jsonArrayItems(db, sql.ref(`${table}.tags`))
  // most rows have no tags; skipping them saves parsing
  const { rows } = await sql<{ name: string; count: number }>`
    select item.value as name, count(*) as count from ${sql.table(table)}, ${items}
    where project_id = ${projectId} and deleted = 0 and tags <> '[]'
    group by item.value order by count(*) desc, item.value limit ${sql.lit(MAX_TAGS)}`.execute(db)
  return rows.map(({ name, count }) => ({ name, count: Number(count) }))
}
