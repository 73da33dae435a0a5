import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { toEngine } from '#server/analytics/open.ts'
import { SQLITE_FILE } from '#server/db/connect-sqlite.ts'
import { isRestoreUnfinished, openDataFolder } from '#server/db/data-folder.ts'
import { hasTable } from '#server/db/dialect.ts'
import { connectStorage, type StorageOptions } from '#server/db/open.ts'
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

/** Backs up what is there and returns the path, or undefined if the storage is empty. */
export async function makeRoom(options: RestoreOptions): Promise<string | undefined> {
  if (await isEmptyStorage(options)) return undefined
  if (!options.replace) {
    throw new OperatorError(
      `${toPlace(options)} is not empty. Use --replace to back it up and overwrite it.`,
    )
  }
  return backUp(options)
}

export const toPlace = ({ databaseUrl, dataFolder }: StorageOptions): string =>
  databaseUrl ? 'The database' : `The data folder ${dataFolder}`

export const isEmptyStorage = (options: StorageOptions): boolean | Promise<boolean> =>
  options.databaseUrl ? isEmptyDatabase(options) : isEmptyFolder(options.dataFolder)

function isEmptyFolder(dataFolder: string): boolean | Promise<boolean> {
  if (isRestoreUnfinished(dataFolder)) return true // it has backed up what was there
  const { files } = toEngine({ dataFolder, databaseUrl: undefined })
  if (files.some((name) => existsSync(join(dataFolder, name)))) return false
  if (!existsSync(join(dataFolder, SQLITE_FILE))) return true
  return isEmptyDatabase({ dataFolder, databaseUrl: undefined }).catch(() => false) // damaged
}

async function isEmptyDatabase(options: StorageOptions): Promise<boolean> {
  const { db, close } = await connectStorage(options)
  try {
    if (!(await hasTable(db, 'organizations'))) return true
    return (await db.selectFrom('organizations').select('id').executeTakeFirst()) === undefined
  } finally {
    await close()
  }
}

async function backUp(options: RestoreOptions): Promise<string> {
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
      `${toPlace(options)} cannot be backed up, so it was not replaced. ${remedy}. The cause: ${describeStorageProblem(error) ?? (error as Error).message}`,
    )
  }
}
