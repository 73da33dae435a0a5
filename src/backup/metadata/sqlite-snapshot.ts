import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SQLITE_FILE } from '#server/db/connect-sqlite.ts'
import {
  FILES_TABLE,
  type FileChunk,
  METADATA_TABLES,
  type MetadataSnapshot,
  type Row,
} from './tables.ts'

const BUSY_TIMEOUT_MS = 5000

/** Reads in one transaction of its own. Other processes keep writing, and nobody waits. */
export function openSqliteSnapshot(folder: string): MetadataSnapshot {
  const file = new DatabaseSync(join(folder, SQLITE_FILE), { timeout: BUSY_TIMEOUT_MS })
  try {
    file.exec('begin')
    const migrations = file.prepare('select name from schema_migrations order by name').all()
    const ids = file
      .prepare('select name, seq from sqlite_sequence where seq > 0 order by name')
      .all()
    return {
      migrations: migrations.map(({ name }) => name as string),
      lastIds: Object.fromEntries(ids.map(({ name, seq }) => [name as string, seq as number])),
      rows: (table) =>
        file
          .prepare(`select * from ${table} order by ${METADATA_TABLES[table].join()}`)
          .iterate() as Iterable<Row>,
      files: () =>
        file
          .prepare(`select * from ${FILES_TABLE} order by attachment_id, position`)
          .iterate() as Iterable<unknown> as Iterable<FileChunk>,
      close: async () => file.close(),
    }
  } catch (error) {
    file.close()
    throw error
  }
}

/** Describes the projects of a snapshot, and which of them have lost their demo data. */
export async function readProjects({ rows }: MetadataSnapshot): Promise<string> {
  return describe(await Array.fromAsync(rows('projects')))
}

/** Describes the same projects as they are now. Differs if one was deleted, or its demo data, and thus its events. */
export function readProjectsNow(folder: string, lastProjectId: number): string {
  const file = new DatabaseSync(join(folder, SQLITE_FILE), { timeout: BUSY_TIMEOUT_MS })
  try {
    return describe(
      file.prepare('select * from projects where id <= ? order by id').all(lastProjectId) as Row[],
    )
  } finally {
    file.close()
  }
}

const describe = (projects: readonly Row[]): string =>
  JSON.stringify(projects.map(({ id, demo_removed_at }) => [id, demo_removed_at]))
