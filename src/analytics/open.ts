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
  /** Reports the progress of deriving persons from stored events, which may take a minute after an upgrade. */
  readonly onProgress?: OnProgress
}

/** Opens DuckDB in the data folder at first use, or PostgreSQL's tables if there is a `databaseUrl`. */
export const openEventStore = (options: EventStoreOptions): EventStore => {
  const { dataFolder, databaseUrl, db, onProgress } = options
  return withFairReads(
    databaseUrl
      ? createPostgresStore(db, onProgress)
      : createDuckDbStore(dataFolder, db, onProgress),
  )
}
