import { sql } from 'kysely'
import { isPostgres } from '#server/db/dialect.ts'
import type { Tx } from '#server/db/schema.ts'
import { chunksOf } from '#server/db/values.ts'
import { parseRows } from '../archive/json-lines.ts'
import { type FilePlace, parseName } from '../archive/manifest.ts'
import type { Archive, ReadMember } from '../archive/read-archive.ts'
import { readWhole } from '../archive/read-archive.ts'
import { FILES_TABLE, METADATA_TABLE_NAMES, type MetadataTable } from '../metadata/tables.ts'
import { refuse } from './refuse.ts'

/** SQLite allows 32,766 values in a statement, PostgreSQL 65,535. */
const MAX_VALUES = 10_000

/** Replaces the rows that migrations have inserted with those of the archive. Returns the number of rows of each table. */
export async function loadMetadata(tx: Tx, archive: Archive): Promise<Record<string, number>> {
  await deleteRows(tx)
  const counts: Record<string, number> = {}
  for (const member of archive.members) {
    const place = parseName(member.name)
    if (place?.kind === 'rows') {
      const table = place.table as MetadataTable
      const loaded = await loadRows(tx, table, member).catch((error) => refuse(error, member.name))
      counts[table] = (counts[table] ?? 0) + loaded
    }
    if (place?.kind === 'file') {
      await loadFile(tx, place, member).catch((error) => refuse(error, member.name))
    }
  }
  await setLastIds(tx, archive.manifest.last_ids)
  return counts
}

/** An archive of an earlier version lacks the newest tables, and so does the schema until it is migrated. */
async function deleteRows(tx: Tx): Promise<void> {
  const tables = await tx.introspection.getTables()
  const names = METADATA_TABLE_NAMES.filter((table) => tables.some(({ name }) => name === table))
  for (const name of names.toReversed()) await sql`delete from ${sql.table(name)}`.execute(tx)
}

async function loadRows(tx: Tx, table: MetadataTable, member: ReadMember): Promise<number> {
  const rows = parseRows(await readWhole(member))
  const perStatement = Math.max(1, Math.floor(MAX_VALUES / Object.keys(rows[0] ?? {}).length))
  for (const some of chunksOf(rows, perStatement)) {
    await tx
      .insertInto(table)
      .values(some as never)
      .execute()
  }
  return rows.length
}

async function loadFile(
  tx: Tx,
  { attachmentId: attachment_id, position }: FilePlace,
  member: ReadMember,
): Promise<void> {
  const sealed = await readWhole(member)
  await tx.insertInto(FILES_TABLE).values({ attachment_id, position, sealed }).execute()
}

/** New records get higher IDs than any before the backup. */
async function setLastIds(tx: Tx, lastIds: Readonly<Record<string, number>>): Promise<void> {
  for (const table of METADATA_TABLE_NAMES) {
    const last = lastIds[table]
    if (!last) continue // SQLite counts from 0 in a table that had no rows, where PostgreSQL allows no 0
    if (isPostgres(tx)) {
      const highest = sql`greatest(${last}, (select max(id) from ${sql.table(table)}))`
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${highest})`.execute(tx)
      continue
    }
    await sql`delete from sqlite_sequence where name = ${table}`.execute(tx)
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(tx)
  }
}
