import type { Db } from '../db/schema.ts'
import { createDuckDbStore } from './duckdb/store.ts'
import type { EventStore, OnProgress } from './event-store.ts'
import { withFairReads } from './fair-reads.ts'
import { createPostgresStore } from './postgres/store.ts'

export interface EventStoreOptions {
  readonly dataFolder: string
  readonly databaseUrl: string | undefined
  /** The database of the projects, and on PostgreSQL of the events. */
  readonly db: Db
  /** Is told how the persons of stored events are being derived, which may take a minute after an upgrade. */
  readonly onProgress?: OnProgress
}

/** DuckDB in the data folder, opened at first use; PostgreSQL's own tables with `databaseUrl`. */
export const openEventStore = (options: EventStoreOptions): EventStore => {
  const { dataFolder, databaseUrl, db, onProgress } = options
  return withFairReads(
    databaseUrl
      ? createPostgresStore(db, onProgress)
      : createDuckDbStore(dataFolder, db, onProgress),
  )
}
