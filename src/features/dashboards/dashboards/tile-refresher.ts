import type { Db } from '#server/db/schema.ts'
import { toRefreshPolicy } from '#server/features/results/refresh.ts'
import type { Results } from '#server/features/results/results.ts'
import { listTiles } from '../tiles/store.ts'
import { findTileResults } from './tile-results.ts'

/** A dashboard that many look at is looked through no more often than this. */
const LOOK_AGAIN_MS = 3000
const MOST_REMEMBERED = 10_000

/**
 * Answers are kept as they were sent, so that whoever looks at a dashboard does not ask whether its numbers are still
 * right. This asks for them, beside and from time to time; when newer ones are there, the dashboard has changed.
 */
export function createTileRefresher(db: Db, results: Results, warn: (err: unknown) => void) {
  const lookedAt = new Map<string, number>()

  return (projectId: number, id: number): void => {
    const key = `${projectId}/${id}`
    const now = performance.now()
    if (now - (lookedAt.get(key) ?? Number.NEGATIVE_INFINITY) < LOOK_AGAIN_MS) return
    if (lookedAt.size >= MOST_REMEMBERED) lookedAt.clear() // then some are looked at a little too soon
    lookedAt.set(key, now)
    look(projectId, id).catch(warn)
  }

  async function look(projectId: number, id: number): Promise<void> {
    const dashboard = await db
      .selectFrom('dashboards')
      .select(['project_id', 'filters', 'variables'])
      .where('project_id', '=', projectId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (!dashboard) return
    const tiles = await listTiles(db, projectId, id)
    await findTileResults(results, dashboard, tiles, toRefreshPolicy('lazy_async'))
  }
}
