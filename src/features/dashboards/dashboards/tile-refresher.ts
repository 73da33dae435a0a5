import { LRUCache } from 'lru-cache'
import type { SectionChoices, ShownSections } from '#model/sections.ts'
import { toRefreshPolicy } from '#server/features/results/cache/refresh.ts'
import { listTiles } from '../tiles/store.ts'
import type { DashboardDeps } from './serialize.ts'
import { findDashboardFilters } from './store.ts'
import { findTileResults } from './tile-results.ts'

/** A dashboard is checked at most this often, regardless of its number of viewers. */
const MIN_INTERVAL_MS = 3000
const MAX_REMEMBERED = 10_000
/** Limits the sections of each dashboard, because clients can send any IDs. */
const MAX_SECTIONS = 200

export interface TileRefresher {
  refresh(projectId: number, dashboardId: number): void
  /** Remembers the sections that a viewer has opened: their tiles are refreshed from now on. */
  open(projectId: number, dashboardId: number, sections: ShownSections): void
}

/**
 * Refreshes stale tiles of a viewed dashboard in the background. The response itself can come from the read cache,
 * which does not check its results; a newer result changes the dashboard's version, so the next response has it.
 */
export function createTileRefresher(
  { db, results }: DashboardDeps,
  warn: (err: unknown) => void,
): TileRefresher {
  const checkedAt = new Map<string, number>()
  const opened = new LRUCache<string, ShownSections>({ max: MAX_REMEMBERED })

  async function refresh(projectId: number, dashboardId: number): Promise<void> {
    const dashboard = await findDashboardFilters(db, projectId, dashboardId)
    if (!dashboard) return
    const tiles = await listTiles(db, projectId, dashboardId)
    const sections = opened.get(toKey(projectId, dashboardId))
    const policy = toRefreshPolicy('lazy_async')
    await findTileResults(results, dashboard, tiles, { policy, sections })
  }

  return {
    open(projectId, dashboardId, sections) {
      const key = toKey(projectId, dashboardId)
      const all = addOpen(opened.get(key), sections)
      if (Object.keys(all).length > 0) opened.set(key, all)
    },
    refresh(projectId, dashboardId) {
      const key = toKey(projectId, dashboardId)
      const now = performance.now()
      if (now - (checkedAt.get(key) ?? Number.NEGATIVE_INFINITY) < MIN_INTERVAL_MS) return
      if (checkedAt.size >= MAX_REMEMBERED) checkedAt.clear() // some are checked a little too soon
      checkedAt.set(key, now)
      refresh(projectId, dashboardId).catch(warn)
    },
  }
}

const toKey = (projectId: number, dashboardId: number): string => `${projectId}/${dashboardId}`

/** Adds the sections that one viewer has opened. What this viewer folds, others still see. */
function addOpen(before: ShownSections = {}, sections: ShownSections): ShownSections {
  if (before === 'open' || sections === 'open') return 'open'
  const open = Object.entries(sections).filter(([, choice]) => choice === 'open')
  const all: SectionChoices = { ...before, ...Object.fromEntries(open) }
  return Object.keys(all).length > MAX_SECTIONS ? 'open' : all
}
