import { LRUCache } from 'lru-cache'
import { isPostgres } from '#server/db/dialect.ts'
import type { Db } from '#server/db/schema.ts'
import { listResults, type ResultRow } from './store.ts'

const MAX_BYTES = 8 * 1024 * 1024

export interface ResultCache {
  list(projectId: number, keys: readonly string[]): Promise<ReadonlyMap<string, ResultRow>>
  /** Call it after the row is committed. */
  set(row: ResultRow): void
}

/**
 * Keeps result rows in memory on SQLite, where this server is the only one that writes them. On PostgreSQL other
 * servers write too, so every lookup reads the database.
 */
export function createResultCache(db: Db): ResultCache {
  if (isPostgres(db)) {
    return { list: (projectId, keys) => listResults(db, projectId, keys), set: () => {} }
  }
  const rows = new LRUCache<string, ResultRow>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ results, details }) => ((results?.length ?? 0) + details.length) * 2 + 500,
  })
  return {
    async list(projectId, keys) {
      // the project's id is hashed into the key, so a key never belongs to two projects
      const known = keys.flatMap((key) => rows.get(key) ?? [])
      const found = new Map(known.map((row) => [row.key, row]))
      const missing = [...new Set(keys)].filter((key) => !found.has(key))
      for (const row of (await listResults(db, projectId, missing)).values()) {
        rows.set(row.key, row) // keeps nothing that is larger than the cache
        found.set(row.key, row)
      }
      return found
    },
    set: (row) => void rows.set(row.key, row),
  }
}
