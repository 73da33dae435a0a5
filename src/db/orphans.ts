import { sql } from 'kysely'
import { isPostgres } from './dialect.ts'
import type { Db, Tx } from './schema.ts'

/** A foreign key of a table. */
interface Reference {
  readonly table: string
  readonly columns: readonly string[]
  readonly parent: string
  readonly parentColumns: readonly string[]
  /** Whether the row can stay without its parent. Otherwise it is deleted, as it would be with its parent. */
  readonly isOptional: boolean
}

/** The rows that were deleted or detached, by table. */
export type Orphans = Readonly<Record<string, number>>

/** Deletes rows that refer to rows that do not exist, or removes the reference if the table allows it. */
export const deleteOrphans = (db: Db): Promise<Orphans> =>
  db.transaction().execute(async (tx) => {
    const references = await listReferences(tx)
    const counts: Record<string, number> = {}
    for (let found = 1; found > 0; ) {
      found = 0 // a deleted row may have had rows of its own
      for (const reference of references) {
        const count = await deleteReferencing(tx, reference)
        if (count > 0) counts[reference.table] = (counts[reference.table] ?? 0) + count
        found += count
      }
    }
    return counts
  })

async function deleteReferencing(tx: Tx, reference: Reference): Promise<number> {
  const { table, columns, parent, parentColumns, isOptional } = reference
  const isSame = columns.map(
    (column, index) =>
      sql`parent.${sql.ref(parentColumns[index] as string)} = ${sql.ref(`${table}.${column}`)}`,
  )
  const isOrphan = sql`${sql.join(
    columns.map((column) => sql`${sql.ref(`${table}.${column}`)} is not null`),
    sql` and `,
  )} and not exists (
    select 1 from ${sql.table(parent)} parent where ${sql.join(isSame, sql` and `)}
  )`
  const nulls = columns.map((column) => sql`${sql.ref(column)} = null`)
  const change = isOptional
    ? sql`update ${sql.table(table)} set ${sql.join(nulls)} where ${isOrphan}`
    : sql`delete from ${sql.table(table)} where ${isOrphan}`
  return Number((await change.execute(tx)).numAffectedRows ?? 0)
}

const listReferences = (db: Db): Promise<Reference[]> =>
  isPostgres(db) ? listPostgresReferences(db) : listSqliteReferences(db)

async function listSqliteReferences(db: Db): Promise<Reference[]> {
  const { rows } = await sql<{
    table: string
    id: number
    parent: string
    from: string
    to: string | null
    is_optional: 0 | 1
  }>`
    select tables.name as "table", keys.id, keys."table" as parent, keys."from", keys."to",
      keys.on_delete <> 'CASCADE' and columns."notnull" = 0 as is_optional
    from sqlite_master tables, pragma_foreign_key_list(tables.name) keys
    join pragma_table_info(tables.name) columns on columns.name = keys."from"
    where tables.type = 'table' order by tables.name, keys.id, keys.seq`.execute(db)
  return [...Map.groupBy(rows, ({ table, id }) => `${table} ${id}`).values()].map((columns) => ({
    table: columns[0]?.table ?? '',
    columns: columns.map(({ from }) => from),
    parent: columns[0]?.parent ?? '',
    parentColumns: columns.map(({ to }) => to ?? 'id'),
    isOptional: columns.every(({ is_optional }) => is_optional === 1),
  }))
}

async function listPostgresReferences(db: Db): Promise<Reference[]> {
  const columns = (table: string, keys: string) => sql`
    (select array_agg(attname::text order by position) from unnest(${sql.raw(keys)}) with ordinality as key (number, position)
      join pg_attribute on attrelid = ${sql.raw(table)} and attnum = key.number)`
  const { rows } = await sql<Reference>`
    select conrelid::regclass::text as "table", confrelid::regclass::text as parent,
      ${columns('conrelid', 'conkey')} as columns, ${columns('confrelid', 'confkey')} as "parentColumns",
      confdeltype <> 'c' and not exists (
        select from pg_attribute where attrelid = conrelid and attnum = any(conkey) and attnotnull
      ) as "isOptional"
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace
    order by conrelid::regclass::text, conname`.execute(db)
  return rows
}
