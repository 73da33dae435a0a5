import type { ClickHouseSettings } from '../db/open.ts'
import type { Db } from '../db/schema.ts'
import { toClickHouseEngine } from './clickhouse/engine.ts'
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
  readonly clickHouse?: ClickHouseSettings | undefined
}

export interface EventStoreOptions extends EngineOptions, Partial<StoreOptions> {
  /** The database of the projects. */
  readonly db: Db
}

/** Chooses ClickHouse if it is set, else PostgreSQL if it is, else DuckDB in the data folder. Nothing else knows the engine. */
export function toEngine({ dataFolder, databaseUrl, clickHouse }: EngineOptions): EventEngine {
  if (clickHouse) return toClickHouseEngine(clickHouse)
  return databaseUrl ? POSTGRES_ENGINE : toDuckDbEngine(dataFolder)
}

export const openEventStore = (options: EventStoreOptions): EventStore => {
  const { db, onProgress, runaways = createRunaways(), warn } = options
  return withFairReads(toEngine(options).createStore(db, { onProgress, runaways, warn }))
}
