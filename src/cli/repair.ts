import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pluralize } from '#model/pluralize.ts'
import { findInstallation } from '#server/analytics/installation.ts'
import { openEventStore } from '#server/analytics/open.ts'
import { holdStorage } from '#server/backup/hold-storage.ts'
import type { Config } from '#server/config.ts'
import { DamagedDatabaseError, isDamaged, SQLITE_FILE } from '#server/db/connect-sqlite.ts'
import { hasTable, isPostgres } from '#server/db/dialect.ts'
import { migrate } from '#server/db/migrate.ts'
import { connectStorage } from '#server/db/open.ts'
import { deleteOrphans } from '#server/db/orphans.ts'
import type { Db } from '#server/db/schema.ts'
import { createProgressPrinter } from './progress.ts'

const NOTHING = 'There is nothing to repair.'

/**
 * Repairs what can be computed from other data. Returns what was done, as sentences. Throws while a server or worker
 * runs, because it would keep serving cached state.
 */
export async function repair(config: Config): Promise<string[]> {
  if (!config.databaseUrl && !existsSync(join(config.dataFolder, SQLITE_FILE))) return [NOTHING]
  try {
    return await holdStorage(config, async (held) => {
      const storage = await connectStorage(held)
      try {
        if (!(await hasTable(storage.db, 'organizations'))) return [NOTHING]
        return await repairAll(storage.db, config)
      } finally {
        await storage.close()
      }
    })
  } catch (error) {
    if (!(error instanceof DamagedDatabaseError || isDamaged(error))) throw error
    return [`The database could not be repaired: ${error.message}`]
  }
}

async function repairAll(db: Db, config: Config): Promise<string[]> {
  await reindex(db)
  const done = ['Rebuilt the indexes of the database.', describeOrphans(await deleteOrphans(db))]
  await migrate(db)
  if (!(await findInstallation(db))?.has_events) return done
  const events = openEventStore({ ...config, db })
  let count = 0
  const showProgress = createProgressPrinter('events')
  try {
    await events.rebuildDerived((progress, total) => {
      count = total
      showProgress(progress, total)
    })
    return [...done, `Derived the facts, persons and groups of ${pluralize(count, 'event')} again.`]
  } catch (error) {
    return [...done, `The events could not be repaired: ${(error as Error).message}`]
  } finally {
    await events.close()
  }
}

/** PostgreSQL needs the name of a schema. */
async function reindex(db: Db): Promise<void> {
  if (!isPostgres(db)) {
    await sql`reindex`.execute(db)
    return
  }
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db)
  await sql`reindex schema ${sql.id(rows[0]?.name ?? 'public')}`.execute(db)
}

function describeOrphans(orphans: Readonly<Record<string, number>>): string {
  const tables = Object.entries(orphans).map(([table, count]) => `${table} ${count}`)
  return tables.length === 0
    ? 'Found no broken references.'
    : `Removed broken references: ${tables.join(', ')}.`
}
