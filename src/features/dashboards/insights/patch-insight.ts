import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import { touchDashboardsShowing } from '#server/db/dashboard-versions.ts'
import type { Db } from '#server/db/schema.ts'
import { flag, json } from '#server/db/values.ts'
import { toTags } from '../tags.ts'
import { logInsightChanges } from './activity.ts'
import { requireRunnable } from './check-query.ts'
import { listPlacements, requireInsightEdit, toDashboardIds } from './placements.ts'
import { getInsightRow } from './read-insight.ts'
import type { InsightWrite } from './schema.ts'
import { setInsightDashboards } from './set-dashboards.ts'
import { type InsightChange, type InsightRow, updateInsight } from './store.ts'

export function patchInsight(
  db: Db,
  caller: Caller,
  idOrShortId: string,
  body: InsightWrite,
): Promise<InsightRow> {
  if (body.query) requireRunnable(body.query)
  return changeProject(db, caller.projectId, async (tx) => {
    const before = await getInsightRow(tx, caller, idOrShortId)
    const places = await listPlacements(tx, caller, [before.id])
    requireInsightEdit(caller, places)
    const row = await updateInsight(tx, caller, before, toColumns(body))
    if (body.dashboards) await setInsightDashboards(tx, caller, row, places, body.dashboards)
    await touchDashboardsShowing(tx, caller.projectId, 'insight_id', [row.id])
    const after = await listPlacements(tx, caller, [row.id])
    await logInsightChanges(
      tx,
      caller,
      { row: before, dashboards: toDashboardIds(places) },
      { row, dashboards: toDashboardIds(after) },
    )
    return row
  })
}

const toColumns = (body: InsightWrite): InsightChange => ({
  name: body.name,
  derived_name: body.derived_name,
  description: body.description,
  query: body.query && json(body.query),
  tags: body.tags && json(toTags(body.tags)),
  favorited: flag(body.favorited),
  saved: flag(body.saved),
  deleted: flag(body.deleted),
})
