import type { Db } from '../db/schema.ts'
import { toDuckDbEngine } from './duckdb/engine.ts'
import type { EventEngine } from './engine.ts'
import type { EventStore, StoreOptions } from './event-store.ts'
import { withFairReads } from './fair-reads.ts'
import { POSTGRES_ENGINE } from './postgres/engine.ts'
import { createRunaways } from './runaways.ts'

/** The settings that choose the engine. */
export interface EngineOptions {
  readonly dataFolder: string
  readonly databaseUrl: string | undefined
}

export interface EventStoreOptions extends EngineOptions, Partial<StoreOptions> {
  /** The database of the projects. */
  readonly db: Db
}

/** Chooses PostgreSQL if there is a `databaseUrl`, otherwise DuckDB in the data folder. Nothing else knows the engine. */
export const toEngine = ({ dataFolder, databaseUrl }: EngineOptions): EventEngine =>
  databaseUrl ? POSTGRES_ENGINE : toDuckDbEngine(dataFolder)

export const openEventStore = (options: EventStoreOptions): EventStore => {
  const { db, onProgress, runaways = createRunaways() } = options
  return withFairReads(toEngine(options).createStore(db, { onProgress, runaways }))
}
