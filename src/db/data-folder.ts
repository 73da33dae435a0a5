import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
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

const isFile = (entry: { isFile(): boolean }): boolean => entry.isFile()
