import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { lockDataFolder } from '#server/db/folder-lock.ts'

const PREFIX = 'unfinished-backup-'

/**
 * Runs work with a new folder for unfinished files, which is deleted afterwards. A process that is killed leaves its
 * folder to the next call, which knows by the lock that nobody uses it.
 */
export async function withWorkFolder<T>(
  parent: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await deleteAbandoned(parent)
  const folder = await mkdtemp(join(parent, PREFIX))
  const unlock = lockDataFolder(folder)
  try {
    return await work(folder)
  } finally {
    unlock()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Deletes the folders that killed processes have left in a folder. */
export async function deleteAbandoned(parent: string): Promise<void> {
  const all = await readdir(parent).catch(() => []) // the folder may not exist yet
  const names = all.filter((name) => name.startsWith(PREFIX))
  for (const folder of names.map((name) => join(parent, name))) {
    if (isUnlocked(folder)) await rm(folder, { recursive: true, force: true })
  }
}

function isUnlocked(folder: string): boolean {
  try {
    lockDataFolder(folder)()
    return true
  } catch {
    return false
  }
}
