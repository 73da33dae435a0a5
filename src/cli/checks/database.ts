import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { DamagedDatabaseError, isDamaged, SQLITE_FILE } from '#server/db/connect-sqlite.ts'
import { isRestoreUnfinished } from '#server/db/data-folder.ts'
import { pendingMigrations } from '#server/db/migrate.ts'
import { connectStorage, type StorageOptions } from '#server/db/open.ts'
import type { Db } from '#server/db/schema.ts'
import type { BackupSchedule } from '#server/features/backups/schema.ts'
import type { KeySource } from '#server/secrets/key-ring.ts'
import { checkBackups } from './backups.ts'
import { bad, type Check, good, warning } from './check.ts'
import { checkEvents } from './events.ts'
import { toRestoreHint } from './restore-hint.ts'
import { checkSecretKey } from './secret-key.ts'

export interface DatabaseOptions extends StorageOptions, KeySource {
  readonly backups: BackupSchedule | undefined
}

/** Only reads: neither creates nor migrates the database. */
export async function checkDatabase(options: DatabaseOptions): Promise<Check[]> {
  const path = join(options.dataFolder, SQLITE_FILE)
  const isNew = !existsSync(path) && !isRestoreUnfinished(options.dataFolder)
  if (!options.databaseUrl && isNew) {
    return [good('database', `${path} (created at the first start)`)]
  }
  try {
    const storage = await connectStorage(options)
    const name = options.databaseUrl ? await describePostgres(storage.db) : path
    const contents = options.databaseUrl ? [] : await checkContents(storage.db, options)
    const checks = [
      good('database', name),
      await checkSchema(storage.db),
      ...contents,
      await checkSecretKey(storage.db, options),
      await checkEvents(storage.db, options),
      await checkBackups(storage.db, options.backups),
    ]
    await storage.close()
    return checks
  } catch (error) {
    const isDamage = error instanceof DamagedDatabaseError || isDamaged(error)
    const hint = isDamage ? ` ${await toRestoreHint(options)}` : ''
    return [bad('database', `${(error as Error).message}${hint}`)]
  }
}

async function describePostgres(db: Db): Promise<string> {
  const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db)
  return `PostgreSQL ${rows[0]?.server_version}`
}

async function checkSchema(db: Db): Promise<Check> {
  try {
    const pending = await pendingMigrations(db)
    if (pending.length === 0) return good('schema', 'up to date')
    const names = pending.map(({ name }) => name).join(', ')
    return warning(
      'schema',
      `Pending migrations: ${names}. Run \`hedgerow migrate\`, or start the server.`,
    )
  } catch (error) {
    return bad('schema', (error as Error).message)
  }
}

const REPAIR = 'Stop the server and run: hedgerow doctor --repair'

/** Findings about indexes, which can be rebuilt from their tables. */
const OF_INDEX =
  /^(row \d+ missing from index|wrong # of entries in index|non-unique entry in index)/

async function checkContents(db: Db, options: DatabaseOptions): Promise<Check[]> {
  const damage = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(db)
  const orphans = await sql<{ table: string }>`pragma foreign_key_check`.execute(db)
  const found = damage.rows[0]?.integrity_check ?? 'no result'
  const remedy = OF_INDEX.test(found) ? REPAIR : await toRestoreHint(options)
  const tables = [...new Set(orphans.rows.map(({ table }) => table))].join(', ')
  return [
    found === 'ok' ? good('integrity', 'ok') : bad('integrity', `${found}. ${remedy}`),
    tables === ''
      ? good('references', 'ok')
      : bad('references', `Broken references in ${tables}. ${REPAIR}`),
  ]
}
