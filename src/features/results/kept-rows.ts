import { LRUCache } from 'lru-cache'
import { isPostgres } from '#server/db/dialect.ts'
import type { Db } from '#server/db/schema.ts'
import { listResults, type ResultRow } from './store.ts'

const MAX_BYTES = 8 * 1024 * 1024

export interface KeptRows {
  list(projectId: number, keys: readonly string[]): Promise<ReadonlyMap<string, ResultRow>>
  /** After it was saved. */
  keep(row: ResultRow): void
}

/** On SQLite one server writes answers, so that those it has seen need not be read again. Others ask PostgreSQL. */
export function createKeptRows(db: Db): KeptRows {
  if (isPostgres(db)) {
    return { list: (projectId, keys) => listResults(db, projectId, keys), keep: () => {} }
  }
  const rows = new LRUCache<string, ResultRow>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ results, details }) => ((results?.length ?? 0) + details.length) * 2 + 500,
  })
  return {
    async list(projectId, keys) {
      const unknown = [...new Set(keys)].filter((key) => !rows.has(key))
      for (const row of (await listResults(db, projectId, unknown)).values()) rows.set(row.key, row)
      // a key holds its project's id, so that no other project can have the same
      return new Map(keys.flatMap((key) => toEntry(key, rows.get(key))))
    },
    keep: (row) => void rows.set(row.key, row),
  }
}

const toEntry = (key: string, row: ResultRow | undefined): [string, ResultRow][] =>
  row ? [[key, row]] : []
