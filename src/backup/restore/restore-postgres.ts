import { sql } from 'kysely'
import { openParquetReader } from '#server/analytics/duckdb/parquet.ts'
import { openPostgresRestore } from '#server/analytics/postgres/restore.ts'
import { vacuumEvents } from '#server/analytics/postgres/vacuum.ts'
import { openDataFolder } from '#server/db/data-folder.ts'
import { connectStorage, type StorageOptions } from '#server/db/open.ts'
import type { Tx } from '#server/db/schema.ts'
import { replaceKeyFile } from '#server/secrets/key-file.ts'
import type { SecretKey } from '#server/secrets/keys.ts'
import type { Archive } from '../archive/read-archive.ts'
import { FILES_TABLE, LEFT_OUT, METADATA_TABLE_NAMES } from '../metadata/tables.ts'
import { withWorkFolder } from '../work-folder.ts'
import { loadDatabase, requireCounts } from './load-archive.ts'
import { loadEvents, type OnProgress } from './load-events.ts'
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
  const parquet = await openParquetReader()
  openDataFolder(dataFolder)
  try {
    await withWorkFolder(dataFolder, (folder) =>
      db.transaction().execute(async (tx) => {
        await dropTables(tx)
        await loadDatabase(tx, archive, false).catch((error) => refuse(error, 'the tables'))
        const restore = await openPostgresRestore(tx, parquet, folder)
        requireCounts(await loadEvents(restore, archive, onProgress), archive.manifest.event_tables)
        if (keys) replaceKeyFile(dataFolder, keys) // the file keeps its own, in case the transaction fails
      }),
    )
    await vacuumEvents(db).catch(() => {}) // everything is there; queries are slower until PostgreSQL does it
  } finally {
    parquet.close()
    await close()
  }
}

async function dropTables(tx: Tx): Promise<void> {
  const tables = [...METADATA_TABLE_NAMES, FILES_TABLE, ...Object.keys(LEFT_OUT)]
  await sql.raw(`drop table if exists ${tables.join()} cascade`).execute(tx)
}
