import type { Db } from '../db/schema.ts'
import { createDuckDbStore } from './duckdb/store.ts'
import type { EventStore, StoreOptions } from './event-store.ts'
import { withFairReads } from './fair-reads.ts'
import { createPostgresStore } from './postgres/store.ts'
import { createRunaways } from './runaways.ts'

export interface EventStoreOptions extends Partial<StoreOptions> {
  readonly dataFolder: string
  readonly databaseUrl: string | undefined
  /** The database of the projects, and on PostgreSQL of the events. */
  readonly db: Db
}

/** Opens DuckDB in the data folder at first use, or PostgreSQL's tables if there is a `databaseUrl`. */
export const openEventStore = (options: EventStoreOptions): EventStore => {
  const { dataFolder, databaseUrl, db, onProgress, runaways = createRunaways() } = options
  return withFairReads(
    databaseUrl
      ? createPostgresStore(db, { onProgress, runaways })
      : createDuckDbStore(dataFolder, db, { onProgress, runaways }),
  )
}
