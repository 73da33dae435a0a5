import { LRUCache } from 'lru-cache'
import { changeProject } from '#server/db/change.ts'
import { touchDashboardsShowing } from '#server/db/dashboard-versions.ts'
import { isPostgres } from '#server/db/dialect.ts'
import type { Db } from '#server/db/schema.ts'
import { listResults, type ResultRow, upsertResult } from './store.ts'

const MAX_BYTES = 8 * 1024 * 1024

export interface ResultCache {
  list(projectId: number, keys: readonly string[]): Promise<ReadonlyMap<string, ResultRow>>
  /** Saves a row and increases the versions of the dashboards that show the insights, which can be added until then. */
  save(row: ResultRow, insightIds: ReadonlySet<number>): Promise<void>
}

/**
 * Caches results in the database, and on SQLite also in memory, because there this server is the only one that writes
 * them. On PostgreSQL other servers write too, so every lookup reads the database.
 */
export function createResultCache(db: Db): ResultCache {
  const rows = isPostgres(db)
    ? undefined
    : new LRUCache<string, ResultRow>({
        maxSize: MAX_BYTES,
        sizeCalculation: ({ results, details }) =>
          ((results?.length ?? 0) + details.length) * 2 + 500,
      })
  return {
    async list(projectId, keys) {
      // the project's id is hashed into the key, so a key never belongs to two projects
      const known = keys.flatMap((key) => rows?.get(key) ?? [])
      const found = new Map(known.map((row) => [row.key, row]))
      const missing = [...new Set(keys)].filter((key) => !found.has(key))
      for (const row of (await listResults(db, projectId, missing)).values()) {
        rows?.set(row.key, row) // keeps nothing that is larger than the cache
        found.set(row.key, row)
      }
      return found
    },
    async save(row, insightIds) {
      await changeProject(db, row.project_id, async (tx) => {
        await upsertResult(tx, row)
        if (insightIds.size > 0) {
          await touchDashboardsShowing(tx, row.project_id, 'insight_id', [...insightIds])
        }
      })
      rows?.set(row.key, row)
    },
  }
}
