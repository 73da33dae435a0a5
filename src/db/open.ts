import { sql } from 'kysely'
import { type CacheStamps, cachedStamps, uncachedStamps } from './cache-stamps.ts'
import { connectSqlite, damagedDatabase, isDamaged } from './connect-sqlite.ts'
import { migrate } from './migrate.ts'
import type { Db } from './schema.ts'

export interface Storage {
  readonly db: Db
  readonly stamps: CacheStamps
  close(): Promise<void>
}

export interface StorageOptions {
  readonly dataFolder: string
  readonly databaseUrl: string | undefined
  /** Reads the whole SQLite file to see that it is sound: for a server's start, not for every command. */
  readonly check?: boolean
}

/** How long the command line's writes may stay unseen by a running server. */
const LOOK_EVERY_MS = 100

export function connectStorage(options: StorageOptions): Promise<Storage> {
  return options.databaseUrl ? openPostgres(options.databaseUrl) : openSqlite(options)
}

/** Connects and migrates. */
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

async function openPostgres(url: string): Promise<Storage> {
  const { connectPostgres } = await import('./connect-postgres.ts') // SQLite needs no driver of pg's size
  const db = await connectPostgres(url)
  return { db, stamps: uncachedStamps(db), close: () => db.destroy() }
}

async function openSqlite({ dataFolder, check }: StorageOptions): Promise<Storage> {
  const connection = connectSqlite(dataFolder)
  const { db, pollExternalCommits } = connection
  if (check) await requireSound(db, dataFolder)
  const timer = setInterval(pollExternalCommits, LOOK_EVERY_MS).unref()
  return {
    db,
    stamps: cachedStamps(connection),
    async close() {
      clearInterval(timer)
      await db.destroy()
    },
  }
}

/** `quick_check` reads every page but does not compare indexes with tables; `hedgerow doctor` does. */
async function requireSound(db: Db, folder: string): Promise<void> {
  const found = await quickCheck(db).catch((error: unknown) => {
    if (isDamaged(error)) return error.message // so damaged that the check itself fails
    throw error
  })
  if (found !== 'ok') throw damagedDatabase(folder, found)
}

async function quickCheck(db: Db): Promise<string> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db)
  return rows[0]?.quick_check ?? 'no answer'
}
