import { type Insertable, type SelectQueryBuilder, sql } from 'kysely'
import { compileOnce } from '#server/db/compile-once.ts'
import { countRows } from '#server/db/count-rows.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema } from '#server/db/schema.ts'
import type { Activity, Change } from './schema.ts'

export type ActivityScope =
  | 'Plugin'
  | 'PluginConfig'
  | 'Dashboard'
  | 'Insight'
  | 'Alert'
  | 'Subscription'
  | 'Person'
  | 'Cohort'
  | 'Action'
  | 'Annotation'
  | 'SavedView'
  | 'Group'
  | 'EventDefinition'
  | 'PropertyDefinition'
  | 'Project'

export const insertActivity = compileOnce((db: Db, row: Insertable<Schema['activity']>) =>
  db.insertInto('activity').values(row),
)

/** Lists the fields that differ between two states of a record. */
export function changesBetween(
  type: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Change[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...fields]
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => toChange(type, field, before[field], after[field]))
}

export const toChange = (type: string, field: string, before: unknown, after: unknown): Change => ({
  type,
  action: isEmpty(before) ? 'created' : isEmpty(after) ? 'deleted' : 'changed',
  field,
  before: before ?? null,
  after: after ?? null,
})

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  ['{}', '[]'].includes(JSON.stringify(value))

interface ActivityItem {
  readonly projectId: number
  readonly scope: ActivityScope
  readonly itemId: number
  /** The name in the log, for items that share an ID: groups of a type. */
  readonly name?: string | undefined
}

export async function listActivity(
  db: Db,
  { projectId, scope, itemId, name }: ActivityItem,
  range: PageRange,
): Promise<Slice<Activity>> {
  const ofId = db
    .selectFrom('activity')
    .where('activity.project_id', '=', projectId)
    .where('activity.scope', '=', scope)
    .where('activity.item_id', '=', itemId)
  const entries = name === undefined ? ofId : ofId.where(hasName(name))
  const rows = await selectEntries(entries, range)
  const results = rows.map((row) => toActivity(row, String(itemId)))
  return { count: await countRows(entries), results }
}

/** The name comes first in the stored detail. */
function hasName(name: string) {
  const start = `{"name":${JSON.stringify(name)},`
  return sql<boolean>`substr(activity.detail, 1, length(${start})) = ${start}`
}

export type ActivityEntries = SelectQueryBuilder<Schema, 'activity', object>

/** Selects a page of entries with their users, newest first. */
export const selectEntries = (entries: ActivityEntries, { limit, offset }: PageRange) =>
  entries
    .leftJoin('users', 'users.id', 'activity.user_id')
    .selectAll('activity')
    .select(['users.first_name', 'users.email'])
    .orderBy('activity.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

type EntryRow = Awaited<ReturnType<typeof selectEntries>>[number]

export const toActivity = (row: EntryRow, itemId: string): Activity => ({
  id: row.id,
  user: { first_name: row.first_name ?? 'System', email: row.email },
  activity: row.activity,
  scope: row.scope,
  item_id: itemId,
  detail: JSON.parse(row.detail),
  created_at: row.created_at,
})

/** Finds the id of an item's newest entry with one of these activities, or 0. */
export async function findLatestActivity(
  db: Db,
  { projectId, scope, itemId }: ActivityItem,
  activities: readonly string[],
): Promise<number> {
  const { latest } = await db
    .selectFrom('activity')
    .select((eb) => eb.fn.max('id').as('latest'))
    .where('project_id', '=', projectId)
    .where('scope', '=', scope)
    .where('item_id', '=', itemId)
    .where('activity', 'in', activities)
    .executeTakeFirstOrThrow()
  return Number(latest ?? 0)
}
