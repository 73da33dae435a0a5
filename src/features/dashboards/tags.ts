import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { jsonArrayItems } from '#server/db/dialect.ts'
import type { Db } from '#server/db/schema.ts'

export const UsedTag = Type.Object(
  { name: Type.String(), count: Type.Integer({ description: 'How many carry it.' }) },
  { title: 'UsedTag', additionalProperties: false },
)
export type UsedTag = Static<typeof UsedTag>

const MOST = 1000

/** The tags that a project's live dashboards or insights carry. */
export async function listUsedTags(
  db: Db,
  projectId: number,
  table: 'dashboards' | 'insights',
): Promise<UsedTag[]> {
  const items = jsonArrayItems(db, sql.ref(`${table}.tags`))
  // those without tags are most of them, and need not be taken apart
  const { rows } = await sql<{ name: string; count: number }>`
    select item.value as name, count(*) as count from ${sql.table(table)}, ${items}
    where project_id = ${projectId} and deleted = 0 and tags <> '[]'
    group by item.value order by count(*) desc, item.value limit ${sql.lit(MOST)}`.execute(db)
  return rows.map(({ name, count }) => ({ name, count: Number(count) }))
}

/** Trimmed; empty ones and exact repeats dropped; case and order kept. */
export const toTags = (tags: readonly string[]): string[] => [
  ...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== '')),
]
