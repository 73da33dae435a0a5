import { sql } from 'kysely'
import { OperatorError } from '../errors.ts'
import { connectPostgres } from './connect-postgres.ts'
import { connectSqlite, SQLITE_FILE } from './connect-sqlite.ts'
import { migrate } from './migrate.ts'
import type { Db } from './schema.ts'
import { askedStamps, rememberedStamps, type Stamps } from './stamps.ts'

export interface Storage {
  readonly db: Db
  readonly stamps: Stamps
  close(): Promise<void>
}

export interface StorageOptions {
  readonly dataFolder: string
  readonly databaseUrl: string | undefined
}

/** How long the command line's writes may stay unseen by a running server. */
const LOOK_EVERY_MS = 100

/** Connects, checks and migrates. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const storage = options.databaseUrl
    ? await openPostgres(options.databaseUrl)
    : await openSqlite(options.dataFolder)
  try {
    await migrate(storage.db)
    return storage
  } catch (error) {
    await storage.close()
    throw error
  }
}

async function openPostgres(url: string): Promise<Storage> {
  const db = await connectPostgres(url)
  return { db, stamps: askedStamps(db), close: () => db.destroy() }
}

async function openSqlite(folder: string): Promise<Storage> {
  const { db, commits, lookForCommitsOfOthers } = connectSqlite(folder)
  await requireSound(db, folder)
  const timer = setInterval(lookForCommitsOfOthers, LOOK_EVERY_MS).unref()
  return {
    db,
    stamps: rememberedStamps(db, commits),
    async close() {
      clearInterval(timer)
      await db.destroy()
    },
  }
}

/** `quick_check` reads every page but does not compare indexes with tables; `hedgerow doctor` does. */
async function requireSound(db: Db, folder: string): Promise<void> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db)
  const found = rows[0]?.quick_check
  if (found !== 'ok') {
    throw new OperatorError(
      `The database ${folder}/${SQLITE_FILE} is damaged (${found}). Restore a backup; the file was left as it is.`,
    )
  }
}
