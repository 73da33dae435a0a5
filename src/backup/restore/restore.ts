import { rm } from 'node:fs/promises'
import { OperatorError } from '#server/errors.ts'
import type { SecretKey } from '#server/secrets/keys.ts'
import type { Manifest } from '../archive/manifest.ts'
import { type Archive, openArchive } from '../archive/read-archive.ts'
import { holdStorage } from '../hold-storage.ts'
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
    return await holdStorage(options, async (held) => {
      const previous = await makeRoom(held)
      await load(archive, keys, held).catch(async (error) => {
        const isRefused = error instanceof OperatorError // nothing was changed
        if (previous && isRefused) await rm(previous)
        throw error
      })
      return { manifest: archive.manifest, previous }
    })
  } finally {
    await archive.close()
  }
}

function load(
  archive: Archive,
  keys: readonly SecretKey[] | undefined,
  { onProgress, ...target }: RestoreOptions,
): Promise<void> {
  return target.databaseUrl
    ? restoreToPostgres(target, archive, keys, onProgress)
    : restoreToFolder(target.dataFolder, archive, keys, onProgress)
}
