import type { Caller } from '#server/access/guard.ts'
import type { Tx } from '#server/db/schema.ts'
import type { Change } from '#server/features/activity/schema.ts'
import { changesBetween, insertActivity } from '#server/features/activity/store.ts'
import type { InsightRow } from './store.ts'

/** An insight and the ids of its dashboards. */
export interface InsightState {
  readonly row: InsightRow
  readonly dashboards: readonly number[]
}

export const logInsight = (
  tx: Tx,
  caller: Caller,
  { id, name, derived_name }: InsightRow,
  activity: string,
  changes: readonly Change[] = [],
): Promise<void> =>
  insertActivity(tx, {
    ...caller,
    scope: 'Insight',
    itemId: id,
    activity,
    name: name || (derived_name ?? ''),
    changes,
  })

export async function logInsightChanges(
  tx: Tx,
  caller: Caller,
  before: InsightState,
  after: InsightState,
): Promise<void> {
  const { row } = after
  const changes = changesBetween('Insight', toLoggedFields(before), toLoggedFields(after))
  if (changes.length > 0) await logInsight(tx, caller, row, 'updated', changes)
  if (before.row.deleted !== row.deleted) {
    await logInsight(tx, caller, row, row.deleted ? 'deleted' : 'restored')
  }
}

const toLoggedFields = ({ row, dashboards }: InsightState): Record<string, unknown> => ({
  name: row.name,
  derived_name: row.derived_name,
  description: row.description,
  query: JSON.parse(row.query),
  tags: JSON.parse(row.tags),
  folder: row.folder,
  favorited: row.favorited === 1,
  saved: row.saved === 1,
  dashboards,
})
