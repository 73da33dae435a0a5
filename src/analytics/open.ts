import type { Db } from '../db/schema.ts'
import { createDuckDbStore } from './duckdb/store.ts'
import type { EventStore } from './event-store.ts'
import { withFairReads } from './fair-reads.ts'
import { createPostgresStore } from './postgres/store.ts'

export interface EventStoreOptions {
  readonly dataFolder: string
  readonly databaseUrl: string | undefined
  /** The database of the projects, and on PostgreSQL of the events. */
  readonly db: Db
}

/** DuckDB in the data folder, opened at first use; PostgreSQL's own tables with `databaseUrl`. */
export const openEventStore = ({ dataFolder, databaseUrl, db }: EventStoreOptions): EventStore =>
  withFairReads(databaseUrl ? createPostgresStore(db) : createDuckDbStore(dataFolder, db))
