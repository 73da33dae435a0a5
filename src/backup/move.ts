import { join } from 'node:path'
import type { OnProgress } from '#server/analytics/event-store.ts'
import { openDataFolder } from '#server/db/data-folder.ts'
import type { StorageOptions } from '#server/db/open.ts'
import { OperatorError } from '#server/errors.ts'
import { findKeyRing } from '#server/secrets/key-ring.ts'
import { type BackupOptions, createBackup } from './create-backup.ts'
import { holdStorage } from './hold-storage.ts'
import { findContents } from './restore/make-room.ts'
import { restoreBackup } from './restore/restore.ts'
import { withWorkFolder } from './work-folder.ts'

export interface MoveOptions extends Omit<BackupOptions, 'withKey' | 'onProgress'> {
  readonly target: StorageOptions
  readonly onBackup: OnProgress
  readonly onCheck: OnProgress
  readonly onRestore: OnProgress
}

/** Backs up into a temporary archive and restores it into the target. Returns the number of events. */
export async function moveStorage(options: MoveOptions): Promise<number> {
  const { target, onBackup, onCheck, onRestore, ...given } = options
  // until the target is complete, because it would lack what a server writes
  return holdStorage(given, async (source) => {
    const found = await findContents(target)
    if (found) throw new OperatorError(`${found.place} is not empty. Choose another target.`)
    openDataFolder(target.dataFolder)
    return withWorkFolder(target.dataFolder, async (folder) => {
      const path = join(folder, 'move.tar')
      const withKey = source.secretKey === undefined && findKeyRing(source) !== undefined
      const { events } = await createBackup(path, { ...source, withKey, onProgress: onBackup })
      const progress = { onCheck, onProgress: onRestore }
      // the events of the source must not be the events of a target without ClickHouse
      const place = { ...given, clickHouse: undefined, ...target }
      await restoreBackup(path, { ...place, ...progress, replace: false })
      return events
    })
  })
}
