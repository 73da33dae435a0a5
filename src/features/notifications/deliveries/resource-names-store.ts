import type { Db } from '#server/db/schema.ts'

/** What alerts watch and subscriptions send. */
interface Sending {
  readonly insight_id: number | null
  readonly dashboard_id?: number | null
}

/** What it is called, for each of some alerts or subscriptions of a project. */
export async function findResourceNames(
  db: Db,
  rows: readonly (Sending & { readonly project_id: number })[],
): Promise<(row: Sending) => string> {
  const projects = [...new Set(rows.map((row) => row.project_id))]
  const insightIds = toIds(rows.map((row) => row.insight_id))
  const dashboardIds = toIds(rows.map((row) => row.dashboard_id))
  const insights = insightIds.length
    ? await db
        .selectFrom('insights')
        .select(['id', 'name', 'derived_name'])
        .where('project_id', 'in', projects)
        .where('id', 'in', insightIds)
        .execute()
    : []
  const dashboards = dashboardIds.length
    ? await db
        .selectFrom('dashboards')
        .select(['id', 'name'])
        .where('project_id', 'in', projects)
        .where('id', 'in', dashboardIds)
        .execute()
    : []
  const names = {
    insights: new Map(insights.map((row) => [row.id, row.name || (row.derived_name ?? '')])),
    dashboards: new Map(dashboards.map((row) => [row.id, row.name])),
  }
  return ({ insight_id, dashboard_id }) =>
    names.insights.get(insight_id ?? 0) ?? names.dashboards.get(dashboard_id ?? 0) ?? ''
}

const toIds = (ids: readonly (number | null | undefined)[]): number[] => [
  ...new Set(ids.filter((id) => typeof id === 'number')),
]
