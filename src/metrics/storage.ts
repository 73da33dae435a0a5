import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import { EVENTS_FILE } from '../analytics/duckdb/file.ts'
import type { Config } from '../config.ts'
import { SQLITE_FILE } from '../db/connect-sqlite.ts'
import { isPostgres } from '../db/dialect.ts'
import type { Db } from '../db/schema.ts'
import type { Collector } from './collector.ts'

/** Adds the sizes of the stores and the free space beside them. */
export function registerStorage(
  registry: Registry,
  db: Db,
  { dataFolder }: Partial<Pick<Config, 'dataFolder'>>,
): Collector {
  const size = new Gauge({
    name: 'hedgerow_store_size_bytes',
    help: 'Size on disk, by store: database or events. With PostgreSQL, the events are a part of the database.',
    labelNames: ['store'],
    registers: [registry],
  })
  const free = new Gauge({
    name: 'hedgerow_disk_free_bytes',
    help: 'Free space on the disk of the data folder.',
    registers: [registry],
  })
  return async () => {
    const sizes = isPostgres(db) ? await readPostgresSizes(db) : await readFileSizes(dataFolder)
    for (const [store, bytes] of Object.entries(sizes)) size.set({ store }, bytes)
    if (dataFolder) free.set(await readFreeSpace(dataFolder))
  }
}

async function readPostgresSizes(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ database: number; events: number }>`
    select pg_database_size(current_database()) as database, (
      select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r'
        and relname ~ '^(events|facts|event_keys)(_|$)'
    ) as events`.execute(db)
  return { database: Number(rows[0]?.database ?? 0), events: Number(rows[0]?.events ?? 0) }
}

/** Write-ahead logs belong to their files. */
async function readFileSizes(dataFolder = '.'): Promise<Record<string, number>> {
  const sizeOf = async (name: string) => {
    const files = [name, `${name}-wal`, `${name}.wal`]
    const sizes = await Promise.all(files.map((file) => readSize(join(dataFolder, file))))
    return sizes.reduce((sum, bytes) => sum + bytes, 0)
  }
  return { database: await sizeOf(SQLITE_FILE), events: await sizeOf(EVENTS_FILE) }
}

const readSize = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

async function readFreeSpace(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize
}
