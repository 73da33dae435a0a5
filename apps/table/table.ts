import type { App } from '../shared/app.ts'
import type { NamedColumn } from '../shared/columns.ts'

/** The position of a row: its cursor value, and a hash that orders rows with the same value. */
export interface RowPosition {
  readonly cursor: string
  readonly tie: string
}

/** Sorts before every row with the same cursor value. */
export const BEFORE_TIES = ''

export interface TableRow {
  readonly values: readonly unknown[]
  readonly place: RowPosition
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

export interface Batches {
  /** The columns of `TableRow.values`. */
  readonly columns: readonly TableColumn[]
  /** Returns the rows after a position, or the first rows. */
  read(after: RowPosition | undefined, limit: number): Promise<TableRow[]>
}

export interface Table {
  /** Quoted, with its schema. */
  readonly reference: string
  readonly columns: readonly TableColumn[]
  /** Reads rows in the order of the cursor column. */
  createBatches(cursor: TableColumn): Batches
  /** Converts what was read to a property's value. Returns undefined for null. */
  toValue(text: unknown, column: TableColumn): unknown
}

/** Names the parts that each database does in its own way. */
export interface Database {
  /** A connection URL, for messages. */
  readonly example: string
  /** Finds a table by its name in the settings. */
  open(app: App, connection: string, table: string): Promise<Table>
}

export interface TableName {
  readonly schema: string | undefined
  readonly name: string
}

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

export const tableNotFound = (text: string): Error =>
  new Error(
    `Table "${text}" was not found. Names are case-sensitive. Use schema.table for another schema.`,
  )

export function requireColumn(
  { columns }: Pick<Table, 'columns'>,
  columnName: string,
  setting: string,
): TableColumn {
  const found = columns.find(({ name }) => name === columnName)
  if (found) return found
  const names = columns.map(({ name }) => name).join(', ')
  const problem = columnName === '' ? '' : `The table has no column "${columnName}". `
  throw new Error(`${problem}Columns: ${names}. Set "${setting}" to one of them.`)
}

/** Lists columns with their SQL types, and with a value of each from the rows that were read. */
export function toNamedColumns(
  columns: readonly TableColumn[],
  read: readonly TableColumn[] = [],
  rows: readonly TableRow[] = [],
): NamedColumn[] {
  const examples = new Map(
    read.map(({ name }, index) => {
      const row = rows.find(({ values }) => (values[index] ?? '') !== '')
      return [name, String(row?.values[index] ?? '')]
    }),
  )
  return columns.map(({ name, type }) => ({ name, type, example: examples.get(name) ?? '' }))
}

/** Keeps money, NaN and numbers with too many digits as text, since they would lose information. */
export function toNumber(text: string): number | string {
  const number = Number(text)
  if (!Number.isFinite(number) || text.trim() === '') return text
  if (/^-?\d+$/.test(text)) return Number.isSafeInteger(number) ? number : text
  const digits = text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '')
  return digits.length <= 17 ? number : text
}
