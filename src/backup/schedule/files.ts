import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Sorts by time as text. Colons are not allowed in the names of some file systems. */
export const toBackupName = (time: Date): string =>
  `hedgerow-${time
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')}.tar`

const BACKUP_NAME = /^hedgerow-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar$/

/** Creates the folder for scheduled backups, which only this user can enter. */
export async function createBackupFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

/** Lists the paths of the scheduled backups in a folder, newest first. */
export async function listBackups(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && BACKUP_NAME.test(entry.name))
    .map(({ name }) => name)
    .sort()
    .reverse()
    .map((name) => join(folder, name))
}

/** Deletes all but the newest scheduled backups, and nothing else in the folder. */
export async function deleteOldBackups(folder: string, keep: number): Promise<void> {
  for (const path of (await listBackups(folder)).slice(keep)) await rm(path, { force: true })
}
