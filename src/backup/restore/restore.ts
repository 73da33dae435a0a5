import type { SecretKey } from '#server/secrets/keys.ts'
import type { Manifest } from '../archive/manifest.ts'
import { type Archive, openArchive } from '../archive/read-archive.ts'
import { findRestoredKeys } from './keys.ts'
import { requireKnownSchema } from './load-archive.ts'
import { makeRoom, type RestoreOptions } from './make-room.ts'
import { restoreToPostgres } from './restore-postgres.ts'
import { restoreToFolder } from './restore-sqlite.ts'

export interface Restored {
  readonly manifest: Manifest
  /** The path of a backup of what was there. */
  readonly previous: string | undefined
}

/** Checks the archive and the key before it changes anything. */
export async function restoreBackup(file: string, options: RestoreOptions): Promise<Restored> {
  const archive = await openArchive(file, options.onCheck)
  try {
    requireKnownSchema(archive)
    const keys = await findRestoredKeys(archive, options)
    const previous = await makeRoom(options)
    await load(archive, keys, options)
    return { manifest: archive.manifest, previous }
  } finally {
    await archive.close()
  }
}

function load(
  archive: Archive,
  keys: readonly SecretKey[] | undefined,
  { databaseUrl, dataFolder, onProgress }: RestoreOptions,
): Promise<void> {
  return databaseUrl
    ? restoreToPostgres({ databaseUrl, dataFolder }, archive, keys, onProgress)
    : restoreToFolder(dataFolder, archive, keys, onProgress)
}
