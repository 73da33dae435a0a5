import type { Db } from '#server/db/schema.ts'
import { findTileResults } from '#server/features/dashboards/dashboards/tile-results.ts'
import { findInsight } from '#server/features/dashboards/insights/store.ts'
import { listTiles } from '#server/features/dashboards/tiles/store.ts'
import { NO_OVERRIDES } from '#server/features/results/overrides.ts'
import type { RefreshPolicy } from '#server/features/results/refresh.ts'
import type { QueryResult, Results } from '#server/features/results/results.ts'
import {
  dashboardPath,
  type InsightWithResult,
  insightPath,
  type SubscriptionNotification,
} from '../deliveries/notification.ts'
import type { SubscriptionRow } from './store.ts'

/** More than that nobody reads in a mail, and many a webhook would not take. */
const MAX_RESULT_LENGTH = 256 * 1024

/** What a subscription sends at this moment. undefined: what it shows is in the trash. */
export async function buildSubscriptionNotification(
  db: Db,
  results: Results,
  row: SubscriptionRow,
  event: SubscriptionNotification['event'],
  refresh: RefreshPolicy,
): Promise<SubscriptionNotification | undefined> {
  const { id, title, frequency, project_id, dashboard_id } = row
  const shown =
    dashboard_id === null
      ? await gatherInsight(db, results, row, refresh)
      : await gatherDashboard(db, results, project_id, dashboard_id, refresh)
  return shown && { event, project_id, subscription: { id, title, frequency }, ...shown }
}

type Gathered = Pick<SubscriptionNotification, 'dashboard' | 'insights' | 'path'>

async function gatherInsight(
  db: Db,
  results: Results,
  { project_id, insight_id }: SubscriptionRow,
  refresh: RefreshPolicy,
): Promise<Gathered | undefined> {
  const insight = await findInsight(db, project_id, insight_id as number)
  if (!insight || insight.deleted) return undefined
  const query = JSON.parse(insight.query)
  const asked = { query, overrides: NO_OVERRIDES, insightId: insight.id }
  const [found] = await results.find(project_id, [asked], refresh)
  const name = insight.name || (insight.derived_name ?? '')
  const named = { id: insight.id, short_id: insight.short_id, name }
  return {
    dashboard: null,
    insights: [toSent(named, found)],
    path: insightPath(project_id, named),
  }
}

async function gatherDashboard(
  db: Db,
  results: Results,
  projectId: number,
  dashboardId: number,
  refresh: RefreshPolicy,
): Promise<Gathered | undefined> {
  const dashboard = await db
    .selectFrom('dashboards')
    .select(['id', 'project_id', 'name', 'filters', 'variables'])
    .where('project_id', '=', projectId)
    .where('id', '=', dashboardId)
    .where('deleted', '=', 0)
    .executeTakeFirst()
  if (!dashboard) return undefined
  const tiles = await listTiles(db, projectId, dashboardId)
  const answers = await findTileResults(results, dashboard, tiles, refresh)
  return {
    dashboard: { id: dashboard.id, name: dashboard.name },
    insights: tiles.flatMap(({ id, insight_id, short_id, name }) => {
      if (insight_id === null) return []
      return toSent({ id: insight_id, short_id: short_id ?? '', name: name ?? '' }, answers.get(id))
    }),
    path: dashboardPath(projectId, dashboardId),
  }
}

function toSent(
  named: Pick<InsightWithResult, 'id' | 'short_id' | 'name'>,
  found: QueryResult | undefined,
): InsightWithResult {
  const text = found?.row?.results ?? 'null'
  const isTooLong = text.length > MAX_RESULT_LENGTH
  const { columns = null } = found?.row ? JSON.parse(found.row.details) : {}
  return {
    ...named,
    results: isTooLong ? null : JSON.parse(text),
    columns,
    last_refresh: found?.row?.computed_at ?? null,
    error: isTooLong
      ? 'The result is too long to be sent. Look at it in Hedgerow.'
      : (found?.problem?.message ?? (text === 'null' ? 'There is no result yet.' : null)),
  }
}
