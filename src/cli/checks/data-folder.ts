import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { bad, type Check, good, warning } from './check.ts'

const MIB = 1024 * 1024
const MIN_FREE_MIB = 100
const GROUP_AND_OTHERS = 0o077

export async function checkDataFolder(folder: string): Promise<Check[]> {
  const existing = await findExisting(folder)
  return [await checkFolder(folder, existing), await checkSpace(existing)]
}

async function checkFolder(folder: string, existing: string): Promise<Check> {
  const found = await stat(existing)
  const remedy = 'Set HEDGEROW_DATA to a writable folder.'
  if (!found.isDirectory()) return bad('data folder', `${existing} is not a folder. ${remedy}`)
  if (!(await isWritable(existing))) {
    return bad('data folder', `This user cannot write to ${existing}. ${remedy}`)
  }
  if (existing !== folder) return good('data folder', `${folder} (created at the first start)`)
  if (found.mode & GROUP_AND_OTHERS) {
    const mode = (found.mode & 0o777).toString(8)
    return warning(
      'data folder',
      `Other users can read ${folder} (${mode}). Run: chmod 700 ${folder}`,
    )
  }
  return good('data folder', folder)
}

async function checkSpace(folder: string): Promise<Check> {
  const { bavail, bsize } = await statfs(folder)
  const free = Math.floor((bavail * bsize) / MIB)
  if (free >= MIN_FREE_MIB) return good('disk space', `${free} MiB free`)
  return bad('disk space', `Only ${free} MiB free. Free some space, or move HEDGEROW_DATA.`)
}

/** Finds the path itself, or its nearest existing ancestor. */
async function findExisting(path: string): Promise<string> {
  const exists = await stat(path).then(
    () => true,
    () => false,
  )
  return exists ? path : findExisting(dirname(path))
}

const isWritable = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
