import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import { touchDashboardsShowing } from '#server/db/dashboard-versions.ts'
import type { Db } from '#server/db/schema.ts'
import { flag, json } from '#server/db/values.ts'
import { toTags } from '../tags.ts'
import { requireAnswerable } from './check-query.ts'
import { logInsightChanges } from './log.ts'
import { placeInsight } from './place-insight.ts'
import { dashboardsIn, listPlaces, requireEditIn } from './places.ts'
import { getInsightRow } from './read-insight.ts'
import type { InsightWrite } from './schema.ts'
import { type InsightChange, type InsightRow, updateInsight } from './store.ts'

export function patchInsight(
  db: Db,
  caller: Caller,
  idOrShortId: string,
  body: InsightWrite,
): Promise<InsightRow> {
  if (body.query) requireAnswerable(body.query)
  return changeProject(db, caller.projectId, async (tx) => {
    const before = await getInsightRow(tx, caller, idOrShortId)
    const places = await listPlaces(tx, caller, [before.id])
    requireEditIn(caller, places)
    const row = await updateInsight(tx, caller, before, toColumns(body))
    if (body.dashboards) await placeInsight(tx, caller, row, places, body.dashboards)
    await touchDashboardsShowing(tx, caller.projectId, 'insight_id', [row.id])
    const after = await listPlaces(tx, caller, [row.id])
    await logInsightChanges(
      tx,
      caller,
      { row: before, dashboards: dashboardsIn(places) },
      { row, dashboards: dashboardsIn(after) },
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
