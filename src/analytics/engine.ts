import type { Db, Tx } from '../db/schema.ts'
import type { EventStore, StoreOptions } from './event-store.ts'
import type { Installation } from './installation.ts'
import type { EventRestore } from './portable-tables.ts'

/** An empty place for the events of a backup. */
export interface RestoreTarget {
  /** The transaction on PostgreSQL that restores the database of the projects. */
  readonly tx?: Tx | undefined
  /** The folder for files of the engine, if it has any, and for temporary ones. */
  readonly folder: string
  readonly installation: Installation
}

/** The events of an installation in one engine, whether they are open or not. */
export interface EventEngine {
  /** Names the place of the events in messages. */
  readonly place: string
  /** The names of its files in the data folder. */
  readonly files: readonly string[]
  /** Tells whether events were ever stored. */
  exists(db: Db): Promise<boolean>
  /** Creates the store, which opens at first use. */
  createStore(db: Db, options: StoreOptions): EventStore
  openRestore(target: RestoreTarget): Promise<EventRestore>
}
