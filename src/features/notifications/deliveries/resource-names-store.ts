import { toInsightTitle } from '#model/insight-title.ts'
import type { Db } from '#server/db/schema.ts'

interface ResourceIds {
  readonly insight_id: number | null
  readonly dashboard_id?: number | null
}

/** Finds a lookup of the name of the insight or dashboard of each row. */
export async function findResourceNames(
  db: Db,
  rows: readonly (ResourceIds & { readonly project_id: number })[],
): Promise<(row: ResourceIds) => string> {
  const projectIds = [...new Set(rows.map((row) => row.project_id))]
  const insightIds = toIds(rows.map((row) => row.insight_id))
  const dashboardIds = toIds(rows.map((row) => row.dashboard_id))
  const insights = insightIds.length
    ? await db
        .selectFrom('insights')
        .select(['id', 'name', 'derived_name'])
        .where('project_id', 'in', projectIds)
        .where('id', 'in', insightIds)
        .execute()
    : []
  const dashboards = dashboardIds.length
    ? await db
        .selectFrom('dashboards')
        .select(['id', 'name'])
        .where('project_id', 'in', projectIds)
        .where('id', 'in', dashboardIds)
        .execute()
    : []
  const insightNames = new Map(insights.map((row) => [row.id, toInsightTitle(row)]))
  const dashboardNames = new Map(dashboards.map((row) => [row.id, row.name]))
  return ({ insight_id, dashboard_id }) =>
    insightNames.get(insight_id ?? 0) ?? dashboardNames.get(dashboard_id ?? 0) ?? ''
}

const toIds = (ids: readonly (number | null | undefined)[]): number[] => [
  ...new Set(ids.filter((id) => typeof id === 'number')),
]
