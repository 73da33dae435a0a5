import { isDeepStrictEqual } from 'node:util'
import { toCopyName } from '#model/copy-name.ts'
import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import { touchDashboardsShowing } from '#server/db/dashboard-versions.ts'
import type { Db } from '#server/db/schema.ts'
import { conflict, notFound } from '#server/errors.ts'
import { requireOwnQuery, requireRunnable } from '#server/features/results/check/check-query.ts'
import { insightResource } from '../insight-rows/fields.ts'
import { requireInsightEdit, toDashboardIds } from '../insight-rows/rights.ts'
import {
  findInsight,
  type InsightRow,
  insertInsight,
  listPlacements,
  updateInsight,
} from '../insight-rows/store.ts'
import { isHidden } from '../rights.ts'
import { insightLog } from './activity.ts'
import { setInsightDashboards } from './placements.ts'
import type { InsightWrite } from './schema.ts'

export async function getInsightRow(
  db: Db,
  caller: Caller,
  idOrShortId: string,
): Promise<InsightRow> {
  const row = await findInsight(db, caller.projectId, idOrShortId)
  if (!row || isHidden(caller, row)) throw notFound()
  return row
}

export async function createInsight(
  db: Db,
  caller: Caller,
  body: InsightWrite,
): Promise<InsightRow> {
  const { query = {}, dashboards = [] } = body
  await requireRunnable(query)
  requireOwnQuery(caller, query)
  return changeProject(db, caller.projectId, async (tx) => {
    const row = await insertInsight(tx, caller, insightResource.toColumns(body))
    await setInsightDashboards(tx, caller, row, { before: [], after: dashboards })
    await touchDashboardsShowing(tx, caller.projectId, 'insight_id', [row.id])
    await insightLog.logActivity(tx, caller, row, 'created')
    return row
  })
}

/** Copies the query and its description. The copy is on no dashboard and not a favorite. */
export function duplicateInsight(db: Db, caller: Caller, idOrShortId: string): Promise<InsightRow> {
  return changeProject(db, caller.projectId, async (tx) => {
    const source = await getInsightRow(tx, caller, idOrShortId)
    if (source.deleted) throw conflict('The insight is in the trash.')
    const { name, derived_name, description, query, tags, folder } = source
    const copied = { name: toCopyName(name), derived_name, description, query, tags, folder }
    const row = await insertInsight(tx, caller, copied)
    await insightLog.logActivity(tx, caller, row, 'created')
    return row
  })
}

interface PatchInput {
  readonly idOrShortId: string
  readonly body: InsightWrite
}

export async function patchInsight(
  db: Db,
  caller: Caller,
  { idOrShortId, body }: PatchInput,
): Promise<InsightRow> {
  if (body.query) await requireRunnable(body.query)
  return changeProject(db, caller.projectId, async (tx) => {
    const rowBefore = await getInsightRow(tx, caller, idOrShortId)
    const placements = await listPlacements(tx, caller, [rowBefore.id])
    requireInsightEdit(caller, placements)
    if (body.query && !isDeepStrictEqual(body.query, JSON.parse(rowBefore.query))) {
      requireOwnQuery(caller, body.query)
    }
    const before = { row: rowBefore, dashboards: toDashboardIds(placements) }

    const row = await updateInsight(tx, caller, rowBefore, insightResource.toColumns(body))
    if (body.dashboards) {
      const change = { before: before.dashboards, after: body.dashboards }
      await setInsightDashboards(tx, caller, row, change)
    }
    await touchDashboardsShowing(tx, caller.projectId, 'insight_id', [row.id])

    const dashboards = toDashboardIds(await listPlacements(tx, caller, [row.id]))
    const changes = insightLog.listChanges(before, { row, dashboards })
    await insightLog.logUpdate(tx, caller, { before: rowBefore, after: row }, changes)
    return row
  })
}
