import type { App, Row } from '../shared/app.ts'
import { isTemporary, retry, TemporaryProblem } from '../shared/retries.ts'

export type Query = (sql: string, params?: readonly unknown[]) => Promise<readonly Row[]>

export interface TableName {
  readonly schema: string | undefined
  readonly name: string
}

export interface TableColumn {
  readonly name: string
  /** The SQL type, such as `timestamp with time zone`. */
  readonly type: string
  /** The name of the base type, such as `timestamptz`. */
  readonly base: string
  /** PostgreSQL's own grouping of types: A for arrays, C for composites, N for numbers ... */
  readonly category: string
}

export interface Table {
  /** Quoted, with its schema. */
  readonly reference: string
  readonly columns: readonly TableColumn[]
}

const COLUMNS = `
  select n.nspname as schema, c.relname as table, a.attname as name,
    format_type(a.atttypid, a.atttypmod) as type,
    coalesce(b.typname, t.typname) as base, t.typcategory as category
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  left join pg_type b on b.oid = t.typbasetype
  where c.relname = $1 and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and case when $2::text is null then pg_table_is_visible(c.oid) else n.nspname = $2 end
  order by a.attnum`

/** Escapes quotes, so that no name can end them. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Parses `orders`, `shop.orders` or `"My shop"."or.ders"`. Names are case-sensitive. */
export function parseTableName(text: string): TableName {
  const parts = [...text.matchAll(/\s*(?:"((?:[^"]|"")+)"|([^".\s](?:[^".]*[^".\s])?))\s*(\.|$)/gy)]
  const used = parts.reduce((length, [part]) => length + part.length, 0)
  const names = parts.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '')
  const isWhole = used === text.length && parts.at(-1)?.[3] === ''
  if (!isWhole || names.length > 2 || text.includes('\0')) {
    throw new Error(`"Table" must be a table or schema.table, not "${text}".`)
  }
  const [name = '', schema] = names.toReversed()
  return { schema, name }
}

export async function findTable(query: Query, text: string): Promise<Table> {
  const { schema, name } = parseTableName(text)
  const rows = await query(COLUMNS, [name, schema ?? null])
  const [first] = rows
  if (!first) {
    throw new Error(
      `Table "${text}" was not found. Names are case-sensitive. Use schema.table for another schema.`,
    )
  }
  return {
    reference: `${quoteName(String(first.schema))}.${quoteName(String(first.table))}`,
    columns: rows.map(({ name, type, base, category }) => ({
      name: String(name),
      type: String(type),
      base: String(base),
      category: String(category),
    })),
  }
}

export function requireColumn(
  { columns }: Table,
  columnName: string,
  setting: string,
): TableColumn {
  const found = columns.find(({ name }) => name === columnName)
  if (found) return found
  const names = columns.map(({ name }) => name).join(', ')
  throw new Error(
    `The table has no column "${columnName}". Columns: ${names}. Set "${setting}" to one of them.`,
  )
}

export function createQuery(app: Pick<App, 'meta' | 'log'>, connection: string): Query {
  const { postgres } = app.meta.utils
  return (sql, params) =>
    retry(app, async () => {
      const { rows } = await postgres.query(connection, sql, params).catch((error) => {
        throw toProblem(error)
      })
      return rows
    })
}

function toProblem(error: unknown): Error {
  const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
  const text = `Could not read from the database: ${reason}`
  if (isTemporary(error)) return new TemporaryProblem(text)
  const advice = reason.includes('rows or')
    ? 'Lower "Rows per batch".'
    : 'The next run continues from here.'
  return new Error(`${text}. ${advice}`)
}
