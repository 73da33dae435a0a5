import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { openParquetReader } from '#server/analytics/duckdb/parquet.ts'
import { openPostgresRestore } from '#server/analytics/postgres/restore.ts'
import { openDataFolder } from '#server/db/data-folder.ts'
import { connectStorage } from '#server/db/open.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { OperatorError } from '#server/errors.ts'
import { replaceKeyFile } from '#server/secrets/key-file.ts'
import type { SecretKey } from '#server/secrets/keys.ts'
import type { Archive } from '../archive/read-archive.ts'
import { FILES_TABLE, LEFT_OUT, METADATA_TABLE_NAMES } from '../metadata/tables.ts'
import { withWorkFolder } from '../work-folder.ts'
import { loadDatabase, requireCounts } from './load-archive.ts'
import { loadEvents, type OnProgress } from './load-events.ts'

interface Target {
  readonly databaseUrl: string
  readonly dataFolder: string
}

/** Restores in one transaction: everything becomes visible at once, or nothing. */
export async function restoreToPostgres(
  { databaseUrl, dataFolder }: Target,
  archive: Archive,
  keys: readonly SecretKey[] | undefined,
  onProgress: OnProgress,
): Promise<void> {
  const { db, close } = await connectStorage({ dataFolder, databaseUrl })
  const parquet = await openParquetReader()
  openDataFolder(dataFolder)
  try {
    await requireUnused(db)
    await withWorkFolder(dataFolder, (folder) =>
      db.transaction().execute(async (tx) => {
        await dropTables(tx)
        await loadDatabase(tx, archive, false)
        const restore = await openPostgresRestore(tx, parquet, folder)
        requireCounts(await loadEvents(restore, archive, onProgress), archive.manifest.event_tables)
        if (keys) replaceKeyFile(dataFolder, keys) // the file keeps its own, in case the transaction fails
      }),
    )
  } finally {
    parquet.close()
    await close()
  }
}

/** The connections of a command that has just ended are there for a moment. */
const TRIES = 30
const TRY_AGAIN_MS = 100

/** Throws if servers or workers have connections, because they would go on with what they remember. */
export async function requireUnused(db: Db): Promise<void> {
  for (let tries = 1; await hasOtherConnections(db); tries++) {
    if (tries === TRIES) {
      throw new OperatorError('Servers or workers use the database. Stop them first.')
    }
    await setTimeout(TRY_AGAIN_MS)
  }
}

async function hasOtherConnections(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and application_name in ('hedgerow', 'hedgerow wake')`.execute(db)
  return rows.length > 0
}

async function dropTables(tx: Tx): Promise<void> {
  const tables = [...METADATA_TABLE_NAMES, FILES_TABLE, ...Object.keys(LEFT_OUT)]
  await sql.raw(`drop table if exists ${tables.join()} cascade`).execute(tx)
}
