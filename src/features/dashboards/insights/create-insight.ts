import { toCopyName } from '#model/copy-name.ts'
import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import { touchDashboardsShowing } from '#server/db/dashboard-versions.ts'
import type { Db } from '#server/db/schema.ts'
import { conflict } from '#server/errors.ts'
import { toTags } from '../tags.ts'
import { logInsight } from './activity.ts'
import { requireRunnable } from './check-query.ts'
import { getInsightRow } from './read-insight.ts'
import type { InsightWrite } from './schema.ts'
import { setInsightDashboards } from './set-dashboards.ts'
import { type InsightRow, insertInsight } from './store.ts'

export function createInsight(db: Db, caller: Caller, body: InsightWrite): Promise<InsightRow> {
  const { name = '', derived_name, description = '', query = {}, tags = [], dashboards = [] } = body
  requireRunnable(query)
  return changeProject(db, caller.projectId, async (tx) => {
    const row = await insertInsight(tx, caller, {
      ...{ name, derivedName: derived_name, description, query, tags: toTags(tags) },
      ...{ favorited: body.favorited, saved: body.saved, deleted: body.deleted },
    })
    await setInsightDashboards(tx, caller, row, [], dashboards)
    await touchDashboardsShowing(tx, caller.projectId, 'insight_id', [row.id])
    await logInsight(tx, caller, row, 'created')
    return row
  })
}

/** What it asks and says of itself, not where it is shown or who likes it. */
export function duplicateInsight(db: Db, caller: Caller, idOrShortId: string): Promise<InsightRow> {
  return changeProject(db, caller.projectId, async (tx) => {
    const source = await getInsightRow(tx, caller, idOrShortId)
    if (source.deleted) throw conflict('The insight is in the trash.')
    const row = await insertInsight(tx, caller, {
      name: toCopyName(source.name),
      derivedName: source.derived_name,
      description: source.description,
      query: JSON.parse(source.query),
      tags: JSON.parse(source.tags),
    })
    await logInsight(tx, caller, row, 'created')
    return row
  })
}
