import { existsSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { OnProgress } from '#server/analytics/event-store.ts'
import { toEngine } from '#server/analytics/open.ts'
import { SQLITE_FILE } from '#server/db/connect-sqlite.ts'
import { openDataFolder, RESTORE_FOLDER, UNFINISHED_RESTORE } from '#server/db/data-folder.ts'
import { connectStorage } from '#server/db/open.ts'
import { KEY_FILE, replaceKeyFile } from '#server/secrets/key-file.ts'
import type { SecretKey } from '#server/secrets/keys.ts'
import type { Archive } from '../archive/read-archive.ts'
import { hasEvents, loadDatabase } from './load-archive.ts'
import { restoreEvents } from './load-events.ts'
import { refuse } from './refuse.ts'

/** Restores into the data folder, which the caller holds. If it is interrupted, nothing has changed or the next start says so. */
export async function restoreToFolder(
  folder: string,
  archive: Archive,
  keys: readonly SecretKey[] | undefined,
  onProgress: OnProgress,
): Promise<void> {
  const newFolder = join(folder, RESTORE_FOLDER)
  try {
    await rm(newFolder, { recursive: true, force: true })
    await mkdir(newFolder, { mode: 0o700 })
    await fillFolder(newFolder, archive, onProgress)
    if (keys) replaceKeyFile(newFolder, keys)
    await swap(folder, newFolder)
  } finally {
    await rm(newFolder, { recursive: true, force: true })
  }
}

async function fillFolder(folder: string, archive: Archive, onProgress: OnProgress): Promise<void> {
  const { db, close } = await connectStorage({ dataFolder: folder, databaseUrl: undefined })
  try {
    await sql`pragma foreign_keys = off`.execute(db) // checked at once below
    const installation = await db
      .transaction()
      .execute((tx) => loadDatabase(tx, archive, hasEvents(archive)))
      .catch((error) => refuse(error, 'the tables'))
    const { rows } = await sql`pragma foreign_key_check`.execute(db)
    if (rows.length > 0)
      refuse(new Error('rows refer to others that it does not contain'), 'the tables')
    if (!hasEvents(archive)) return
    const engine = toEngine({ dataFolder: folder, databaseUrl: undefined })
    const events = await restoreEvents(engine, { folder, installation }, archive, onProgress)
    await events.publish(db)
  } finally {
    await close()
  }
}

/** Logs belong to the old files, and would spoil the new ones. */
const toLogs = (name: string): string[] => ['-wal', '-shm', '.wal'].map((end) => `${name}${end}`)

/** Replaces the files while a marker keeps servers from starting. */
async function swap(folder: string, newFolder: string): Promise<void> {
  const { files } = toEngine({ dataFolder: folder, databaseUrl: undefined })
  const databases = [SQLITE_FILE, ...files]
  const restored = [...databases, KEY_FILE]
  for (const name of restored) await syncFile(join(newFolder, name))
  openDataFolder(folder)
  const marker = join(folder, UNFINISHED_RESTORE)
  await (await open(marker, 'w', 0o600)).close()
  await syncFile(folder)
  for (const name of [...databases, ...databases.flatMap(toLogs)])
    await rm(join(folder, name), { force: true })
  for (const name of restored) {
    if (existsSync(join(newFolder, name))) await rename(join(newFolder, name), join(folder, name))
  }
  await syncFile(folder)
  await rm(marker)
  await syncFile(folder)
}

async function syncFile(path: string): Promise<void> {
  if (!existsSync(path)) return
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
