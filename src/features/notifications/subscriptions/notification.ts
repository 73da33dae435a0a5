import { toInsightTitle } from '#model/insight-title.ts'
import type { Db } from '#server/db/schema.ts'
import { findTileResults } from '#server/features/dashboards/dashboards/tile-results.ts'
import { findInsight } from '#server/features/dashboards/insight-rows/store.ts'
import { listTiles } from '#server/features/dashboards/tiles/store.ts'
import type { RefreshPolicy } from '#server/features/results/cache/refresh.ts'
import { NO_OVERRIDES } from '#server/features/results/check/overrides.ts'
import { prepareQueries } from '#server/features/results/check/prepare-queries.ts'
import type { QueryResult, Results } from '#server/features/results/results.ts'
import {
  dashboardPagePath,
  type InsightWithResult,
  insightPath,
  type NamedInsight,
  type SubscriptionNotification,
} from '../deliveries/notification.ts'
import { findSubscribedDashboard, type SubscriptionRow } from './store.ts'

/** Longer mails are not read, and many webhooks would not accept more. */
const MAX_RESULT_LENGTH = 256 * 1024

interface BuildDeps {
  readonly db: Db
  readonly results: Results
  readonly refresh: RefreshPolicy
}

/** Returns undefined if the insight or dashboard is in the trash. */
export async function buildSubscriptionNotification(
  deps: BuildDeps,
  row: SubscriptionRow,
  event: SubscriptionNotification['event'],
): Promise<SubscriptionNotification | undefined> {
  const { id, title, frequency, project_id, insight_id, dashboard_id } = row
  const content =
    dashboard_id === null
      ? await buildInsightContent(deps, project_id, insight_id as number)
      : await buildDashboardContent(deps, project_id, dashboard_id)
  return content && { event, project_id, subscription: { id, title, frequency }, ...content }
}

type Content = Pick<SubscriptionNotification, 'dashboard' | 'insights' | 'path'>

async function buildInsightContent(
  { db, results, refresh }: BuildDeps,
  projectId: number,
  insightId: number,
): Promise<Content | undefined> {
  const insight = await findInsight(db, projectId, insightId)
  if (!insight || insight.deleted) return undefined
  const query = JSON.parse(insight.query)
  const request = { query, overrides: NO_OVERRIDES, insightId: insight.id }
  const [result] = await results.find(projectId, await prepareQueries([request]), refresh)
  const name = toInsightTitle(insight)
  const named = { id: insight.id, short_id: insight.short_id, name }
  return {
    dashboard: null,
    insights: [withResult(named, result)],
    path: insightPath(projectId, named),
  }
}

async function buildDashboardContent(
  { db, results, refresh }: BuildDeps,
  projectId: number,
  dashboardId: number,
): Promise<Content | undefined> {
  const dashboard = await findSubscribedDashboard(db, projectId, dashboardId)
  if (!dashboard) return undefined
  const tiles = await listTiles(db, projectId, dashboardId)
  const options = { policy: refresh, sections: 'open' } as const
  const tileResults = await findTileResults(results, dashboard, tiles, options)
  const insights: InsightWithResult[] = []
  for (const { id, insight_id, short_id, name } of tiles) {
    if (insight_id === null) continue
    const named = { id: insight_id, short_id: short_id ?? '', name: name ?? '' }
    insights.push(withResult(named, tileResults.get(id)))
  }
  return {
    dashboard: { id: dashboard.id, name: dashboard.name },
    insights,
    path: dashboardPagePath(projectId, dashboardId),
  }
}

function withResult(named: NamedInsight, result: QueryResult | undefined): InsightWithResult {
  const text = result?.row?.results ?? 'null'
  const isTooLong = text.length > MAX_RESULT_LENGTH
  const { columns = null } = result?.row ? JSON.parse(result.row.details) : {}
  return {
    ...named,
    results: isTooLong ? null : JSON.parse(text),
    columns,
    last_refresh: result?.row?.computed_at ?? null,
    error: isTooLong
      ? 'The result is too long to send. Open it in Hedgerow.'
      : (result?.problem?.message ?? (text === 'null' ? 'There is no result yet.' : null)),
  }
}
