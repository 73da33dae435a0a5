import { toRefreshPolicy } from '#server/features/results/cache/refresh.ts'
import { listTiles } from '../tiles/store.ts'
import type { DashboardDeps } from './serialize.ts'
import { findDashboardFilters } from './store.ts'
import { findTileResults } from './tile-results.ts'

/** A dashboard is checked at most this often, regardless of its number of viewers. */
const MIN_INTERVAL_MS = 3000
const MAX_REMEMBERED = 10_000

/**
 * Refreshes stale tiles of a viewed dashboard in the background. The response itself can come from the read cache,
 * which does not check its results; a newer result changes the dashboard's version, so the next response has it.
 */
export function createTileRefresher(
  { db, results }: DashboardDeps,
  warn: (err: unknown) => void,
): (projectId: number, dashboardId: number) => void {
  const checkedAt = new Map<string, number>()

  async function refresh(projectId: number, dashboardId: number): Promise<void> {
    const dashboard = await findDashboardFilters(db, projectId, dashboardId)
    if (!dashboard) return
    const tiles = await listTiles(db, projectId, dashboardId)
    await findTileResults(results, dashboard, tiles, { policy: toRefreshPolicy('lazy_async') })
  }

  return (projectId, dashboardId) => {
    const key = `${projectId}/${dashboardId}`
    const now = performance.now()
    if (now - (checkedAt.get(key) ?? Number.NEGATIVE_INFINITY) < MIN_INTERVAL_MS) return
    if (checkedAt.size >= MAX_REMEMBERED) checkedAt.clear() // some are checked a little too soon
    checkedAt.set(key, now)
    refresh(projectId, dashboardId).catch(warn)
  }
}
