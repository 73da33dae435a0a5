import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { toEngine } from '#server/analytics/open.ts'
import { SQLITE_FILE } from '#server/db/connect-sqlite.ts'
import { isRestoreUnfinished, openDataFolder } from '#server/db/data-folder.ts'
import { hasTable } from '#server/db/dialect.ts'
import { connectStorage, type StorageOptions } from '#server/db/open.ts'
import type { Db } from '#server/db/schema.ts'
import { describeStorageProblem } from '#server/db/storage-problem.ts'
import { OperatorError } from '#server/errors.ts'
import { findKeyRing } from '#server/secrets/key-ring.ts'
import { type BackupOptions, createBackup } from '../create-backup.ts'

export interface RestoreOptions extends Omit<BackupOptions, 'withKey'> {
  /** Whether to replace what is there, after backing it up. */
  readonly replace: boolean
  /** Reports the bytes of the archive that have been compared with its checksums. */
  readonly onCheck?: BackupOptions['onProgress']
}

/** Backs up what is there and returns the path, or undefined if there is nothing that can be backed up. */
export async function makeRoom(options: RestoreOptions): Promise<string | undefined> {
  const found = await findContents(options)
  if (!found) return undefined
  const { place, hasDatabase } = found
  if (!options.replace) {
    const how = hasDatabase
      ? 'back it up and overwrite it.'
      : 'overwrite it. It cannot be backed up, because the database that belongs to it is not there.'
    throw new OperatorError(`${place} is not empty. Use --replace to ${how}`)
  }
  return hasDatabase ? backUp(options, place) : undefined
}

export interface Contents {
  /** Names what is not empty, at the start of a sentence. */
  readonly place: string
  /** Events alone cannot be backed up. */
  readonly hasDatabase: boolean
}

/** Finds what a restore would overwrite. Returns undefined if the storage is empty. */
export async function findContents(options: StorageOptions): Promise<Contents | undefined> {
  const { dataFolder, databaseUrl } = options
  if (databaseUrl) return findInDatabases(options)
  if (await isEmptyFolder(dataFolder)) return undefined
  return { place: `The data folder ${dataFolder}`, hasDatabase: true }
}

/** The events may be of an installation whose database was lost. */
async function findInDatabases(options: StorageOptions): Promise<Contents | undefined> {
  const engine = toEngine(options)
  const { db, close } = await connectStorage(options)
  try {
    if (await hasOrganization(db)) return { place: 'The database', hasDatabase: true }
    if (!(await engine.exists(db))) return undefined
    return { place: `The event store (${engine.place})`, hasDatabase: false }
  } finally {
    await close()
  }
}

function isEmptyFolder(dataFolder: string): boolean | Promise<boolean> {
  if (isRestoreUnfinished(dataFolder)) return true // it has backed up what was there
  const { files } = toEngine({ dataFolder, databaseUrl: undefined })
  if (files.some((name) => existsSync(join(dataFolder, name)))) return false
  if (!existsSync(join(dataFolder, SQLITE_FILE))) return true
  return isEmptyDatabase(dataFolder).catch(() => false) // damaged
}

async function isEmptyDatabase(dataFolder: string): Promise<boolean> {
  const { db, close } = await connectStorage({ dataFolder, databaseUrl: undefined })
  try {
    return !(await hasOrganization(db))
  } finally {
    await close()
  }
}

async function hasOrganization(db: Db): Promise<boolean> {
  if (!(await hasTable(db, 'organizations'))) return false
  return (await db.selectFrom('organizations').select('id').executeTakeFirst()) !== undefined
}

async function backUp(options: RestoreOptions, place: string): Promise<string> {
  const { dataFolder, databaseUrl } = options
  openDataFolder(dataFolder)
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const path = join(dataFolder, `before-restore-${time}.tar`)
  const withKey = findKeyRing(options) !== undefined
  try {
    await createBackup(path, { ...options, withKey, onProgress: () => {} })
    return path
  } catch (error) {
    const remedy = databaseUrl ? 'Restore into another database' : 'Move it away and restore again'
    throw new OperatorError(
      `${place} cannot be backed up, so it was not replaced. ${remedy}. The cause: ${describeStorageProblem(error) ?? (error as Error).message}`,
    )
  }
}
