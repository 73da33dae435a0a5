import type { Selectable } from 'kysely'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { toSearchKey } from '#server/db/search-key.ts'
import { json, now, randomText } from '#server/db/values.ts'
import { toId } from '#server/http/ids.ts'

export type InsightRow = Selectable<Schema['insights']>

interface Who {
  readonly projectId: number
  readonly userId: number
}

export interface NewInsight {
  readonly name: string
  readonly derivedName?: string | null
  readonly description: string
  readonly query: unknown
  readonly tags?: readonly string[]
  readonly isSample?: boolean
  readonly favorited?: boolean
  readonly saved?: boolean
  readonly deleted?: boolean
}

export function insertInsight(
  tx: Tx,
  { projectId, userId }: Who,
  insight: NewInsight,
): Promise<InsightRow> {
  const at = now()
  const searched = {
    name: insight.name,
    description: insight.description,
    tags: json(insight.tags ?? []),
  }
  return tx
    .insertInto('insights')
    .values({
      ...searched,
      search_key: toSearchKey(searched),
      project_id: projectId,
      short_id: newShortId(),
      derived_name: insight.derivedName ?? null,
      query: json(insight.query),
      is_sample: insight.isSample ? 1 : 0,
      favorited: insight.favorited ? 1 : 0,
      saved: insight.saved === false ? 0 : 1,
      deleted: insight.deleted ? 1 : 0,
      created_by: userId,
      created_at: at,
      last_modified_by: userId,
      last_modified_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** One of digits alone would be taken for an id. */
function newShortId(): string {
  const text = randomText(8)
  return /\D/.test(text) ? text : newShortId()
}

const SHORT_ID = /^[0-9A-Za-z]{8}$/

/** By id or short id, whatever the path says; also those in the trash. */
export async function findInsight(
  db: Db,
  projectId: number,
  idOrShortId: string | number,
): Promise<InsightRow | undefined> {
  const text = String(idOrShortId)
  const id = toId(text)
  if (id === undefined && !SHORT_ID.test(text)) return undefined
  const insights = db.selectFrom('insights').selectAll().where('project_id', '=', projectId)
  const found =
    id === undefined ? insights.where('short_id', '=', text) : insights.where('id', '=', id)
  return found.executeTakeFirst()
}

const CHANGEABLE = [
  'name',
  'derived_name',
  'description',
  'query',
  'tags',
  'favorited',
  'saved',
  'deleted',
] as const

export type InsightChange = {
  readonly [Column in (typeof CHANGEABLE)[number]]: InsightRow[Column] | undefined
}

/** What is not given stays. An insight that stays as it was has not been modified. */
export async function updateInsight(
  tx: Tx,
  { projectId, userId }: Who,
  before: InsightRow,
  change: InsightChange,
): Promise<InsightRow> {
  const changed = CHANGEABLE.filter(
    (column) => change[column] !== undefined && change[column] !== before[column],
  )
  if (changed.length === 0) return before
  const columns = Object.fromEntries(changed.map((column) => [column, change[column]]))
  return tx
    .updateTable('insights')
    .set(columns)
    .set({
      search_key: toSearchKey({ ...before, ...columns }),
      // whoever trashes or restores it alone takes it out of what a dashboard did to it
      ...('deleted' in columns && { deleted_with: null }),
      last_modified_by: userId,
      last_modified_at: now(),
    })
    .where('project_id', '=', projectId)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
