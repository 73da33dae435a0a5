import { sql } from 'kysely'
import type { OnProgress } from '#server/analytics/event-store.ts'
import { toEngine } from '#server/analytics/open.ts'
import { openDataFolder } from '#server/db/data-folder.ts'
import { connectStorage, type StorageOptions } from '#server/db/open.ts'
import type { Tx } from '#server/db/schema.ts'
import { replaceKeyFile } from '#server/secrets/key-file.ts'
import type { SecretKey } from '#server/secrets/keys.ts'
import type { Archive } from '../archive/read-archive.ts'
import { FILES_TABLE, LEFT_OUT, METADATA_TABLE_NAMES } from '../metadata/tables.ts'
import { withWorkFolder } from '../work-folder.ts'
import { loadDatabase } from './load-archive.ts'
import { restoreEvents } from './load-events.ts'
import { refuse } from './refuse.ts'

/** Restores in one transaction: everything becomes visible at once, or nothing. The caller holds the storage. */
export async function restoreToPostgres(
  target: StorageOptions,
  archive: Archive,
  keys: readonly SecretKey[] | undefined,
  onProgress: OnProgress,
): Promise<void> {
  const { dataFolder } = target
  const { db, close } = await connectStorage(target)
  const engine = toEngine(target)
  openDataFolder(dataFolder)
  try {
    const events = await withWorkFolder(dataFolder, (folder) =>
      db.transaction().execute(async (tx) => {
        await dropTables(tx)
        const installation = await loadDatabase(tx, archive, false).catch((error) =>
          refuse(error, 'the tables'),
        )
        const given = { tx, folder, installation }
        const restored = await restoreEvents(engine, given, archive, onProgress)
        if (keys) replaceKeyFile(dataFolder, keys) // the file keeps its own, in case the transaction fails
        return restored
      }),
    )
    await events.publish(db)
  } finally {
    await close()
  }
}

async function dropTables(tx: Tx): Promise<void> {
  const tables = [...METADATA_TABLE_NAMES, FILES_TABLE, ...Object.keys(LEFT_OUT)]
  await sql.raw(`drop table if exists ${tables.join()} cascade`).execute(tx)
}
