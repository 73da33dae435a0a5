import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '../errors.ts'
import { unusableFolder } from './connect-sqlite.ts'
import { createPrivateFilesOnly, openDataFolder } from './data-folder.ts'

const LOCK_FILE = 'server.lock'
const SQLITE_BUSY = 5

/**
 * Locks the data folder for one server and returns the function that releases it. SQLite's lock belongs to the process,
 * so the kernel releases it even after a crash. The command line needs no lock.
 */
export function lockDataFolder(folder: string): () => void {
  try {
    createPrivateFilesOnly()
    openDataFolder(folder)
    const file = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 0 })
    file.exec('pragma journal_mode = memory; begin exclusive') // in memory: a journal would be one more file
    return () => file.close()
  } catch (error) {
    if (error instanceof OperatorError) throw error
    const isLocked = (error as { errcode?: number }).errcode === SQLITE_BUSY
    throw isLocked ? folderInUse(folder) : unusableFolder(folder, error as Error)
  }
}

const folderInUse = (folder: string): OperatorError =>
  new OperatorError(
    `Another server or command uses the data folder ${folder}. Stop it, or set HEDGEROW_DATA to another folder, or DATABASE_URL for several servers.`,
  )
