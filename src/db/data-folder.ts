import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../errors.ts'

const GROUP_AND_OTHERS = 0o077

/** Lets only this user read the files that the process creates from now on, whichever library creates them. */
export function createPrivateFilesOnly(): void {
  process.umask(GROUP_AND_OTHERS)
}

/** Creates the data folder if it is missing. Closes it to other users if it was created by hand or copied. */
export function openDataFolder(folder: string): void {
  mkdirSync(folder, { recursive: true })
  if ((statSync(folder).mode & GROUP_AND_OTHERS) === 0) return
  try {
    chmodSync(folder, 0o700)
    for (const { name } of readdirSync(folder, { withFileTypes: true }).filter(isFile)) {
      chmodSync(join(folder, name), 0o600)
    }
  } catch (error) {
    throw new OperatorError(
      `Other users can read the data folder ${folder}, and this user cannot change that (${(error as Error).message}). Let its owner run: chmod -R go= ${folder}`,
    )
  }
}

/** Exists while a restore replaces the files of the folder, which no system does at once. */
export const UNFINISHED_RESTORE = 'restore.unfinished'

/** A restore fills this folder first. Its files take the places of the old ones when they are complete. */
export const RESTORE_FOLDER = 'restore.tmp'

/** Deletes what a killed restore has left, which may be as large as everything else. The caller has locked the folder. */
export function deleteAbandonedRestore(folder: string): void {
  if (isRestoreUnfinished(folder)) return // the start is refused
  rmSync(join(folder, RESTORE_FOLDER), { recursive: true, force: true })
}

export const isRestoreUnfinished = (folder: string): boolean =>
  existsSync(join(folder, UNFINISHED_RESTORE))

export function requireNoUnfinishedRestore(folder: string): void {
  if (!isRestoreUnfinished(folder)) return
  throw new OperatorError(
    `A restore into the data folder ${folder} was interrupted. Run \`hedgerow restore\` again with the same backup.`,
  )
}

const isFile = (entry: { isFile(): boolean }): boolean => entry.isFile()

/** Returns the sum of the sizes of files; those that do not exist have none. */
export async function readFileSizes(paths: readonly string[]): Promise<number> {
  const sizes = paths.map((path) =>
    stat(path).then(
      ({ size }) => size,
      () => 0,
    ),
  )
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0)
}
