import { sql } from 'kysely'
import { type CacheStamps, cachedStamps, uncachedStamps } from './cache-stamps.ts'
import { connectSqlite, damagedDatabase, isDamaged } from './connect-sqlite.ts'
import { createPrivateFilesOnly } from './data-folder.ts'
import { migrate } from './migrate.ts'
import type { Db } from './schema.ts'

export interface Storage {
  readonly db: Db
  readonly stamps: CacheStamps
  close(): Promise<void>
}

/** The settings of events in ClickHouse. */
export interface ClickHouseSettings {
  /** Contains the port, and the user and password if there are any, so it is never shown. */
  readonly url: string
  /** undefined: a single server. */
  readonly cluster: string | undefined
  /** The days for which the UUIDs of events are kept to find duplicates. 0: forever. */
  readonly keysDays: number
  /** The megabytes of events that may wait for ClickHouse. */
  readonly maxWaitingMb: number
}

export interface StorageOptions {
  readonly dataFolder: string
  readonly databaseUrl: string | undefined
  /** The place of the events, if they are not beside the rest; with `databaseUrl` only. */
  readonly clickHouse?: ClickHouseSettings | undefined
  /** Checks the whole SQLite file for damage. Meant for a server's start, not for every command. */
  readonly check?: boolean
  /** This process holds the storage, so that no server can use it. */
  readonly isHeld?: boolean
}

/** The delay before a running server notices writes of the command line. */
const EXTERNAL_COMMIT_POLL_MS = 100

export function connectStorage(options: StorageOptions): Promise<Storage> {
  createPrivateFilesOnly()
  const { databaseUrl, isHeld } = options
  return databaseUrl ? openPostgres(databaseUrl, isHeld) : openSqlite(options)
}

/** Connects and runs pending migrations. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const storage = await connectStorage(options)
  try {
    await migrate(storage.db)
    return storage
  } catch (error) {
    await storage.close()
    throw error
  }
}

async function openPostgres(url: string, isHeld?: boolean): Promise<Storage> {
  const { connectPostgres } = await import('./connect-postgres.ts') // loaded on demand: it is large, and SQLite does not need it
  const { db, close } = await connectPostgres(url, isHeld)
  return { db, stamps: uncachedStamps(db), close }
}

async function openSqlite({ dataFolder, check }: StorageOptions): Promise<Storage> {
  const connection = connectSqlite(dataFolder)
  const { db, pollExternalCommits } = connection
  if (check) await requireIntact(db, dataFolder)
  const timer = setInterval(pollExternalCommits, EXTERNAL_COMMIT_POLL_MS).unref()
  return {
    db,
    stamps: cachedStamps(connection),
    async close() {
      clearInterval(timer)
      await db.destroy()
    },
  }
}

/** `quick_check` reads every page but does not compare indexes with tables, as `hedgerow doctor` does. */
async function requireIntact(db: Db, folder: string): Promise<void> {
  const result = await quickCheck(db).catch((error: unknown) => {
    if (isDamaged(error)) return error.message // so damaged that the check itself fails
    throw error
  })
  if (result !== 'ok') throw damagedDatabase(folder, result)
}

async function quickCheck(db: Db): Promise<string> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db)
  return rows[0]?.quick_check ?? 'no result'
}
