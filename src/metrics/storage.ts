import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { EventStore } from '../analytics/event-store.ts'
import type { Config } from '../config.ts'
import { SQLITE_FILE } from '../db/connect-sqlite.ts'
import { readFileSizes } from '../db/data-folder.ts'
import { isPostgres } from '../db/dialect.ts'
import type { Db } from '../db/schema.ts'
import type { Collector } from './collector.ts'

/**
 * Adds the sizes of the stores and the free space beside them. Events have a collector of their own, because their
 * database may be down.
 */
export function registerStorage(
  registry: Registry,
  { db, events }: { readonly db: Db; readonly events: Pick<EventStore, 'readSize'> },
  { dataFolder }: Partial<Pick<Config, 'dataFolder'>>,
): readonly Collector[] {
  const size = new Gauge({
    name: 'hedgerow_store_size_bytes',
    help: 'Size on disk, by store: database or events. Events in PostgreSQL are a part of the database.',
    labelNames: ['store'],
    registers: [registry],
  })
  const free = new Gauge({
    name: 'hedgerow_disk_free_bytes',
    help: 'Free space on the disk of the data folder.',
    registers: [registry],
  })
  return [
    async () => {
      size.set({ store: 'database' }, await readDatabaseSize(db, dataFolder))
      if (dataFolder) free.set(await readFreeSpace(dataFolder))
    },
    async () => {
      size.remove({ store: 'events' }) // an old size would hide that it cannot be read
      size.set({ store: 'events' }, await events.readSize())
    },
  ]
}

async function readDatabaseSize(db: Db, dataFolder = '.'): Promise<number> {
  if (isPostgres(db)) {
    const { rows } = await sql<{ bytes: number }>`
      select pg_database_size(current_database()) as bytes`.execute(db)
    return Number(rows[0]?.bytes ?? 0)
  }
  return readFileSizes([SQLITE_FILE, `${SQLITE_FILE}-wal`].map((name) => join(dataFolder, name)))
}

async function readFreeSpace(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize
}
