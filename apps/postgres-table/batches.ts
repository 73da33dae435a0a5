import type { Row } from '../shared/app.ts'
import { type Query, quoteName, type Table, type TableColumn } from './table.ts'
import { toExpression } from './values.ts'

/** The position of a row: its cursor value, and a hash that orders rows with the same value. */
export interface RowPosition {
  readonly cursor: string
  readonly tie: string
}

export interface TableRow {
  readonly values: readonly unknown[]
  readonly place: RowPosition
}

export interface Batches {
  /** The columns of `TableRow.values`. */
  readonly columns: readonly TableColumn[]
  /** Returns the rows after a position, or the first rows. */
  read(after: RowPosition | undefined, limit: number): Promise<TableRow[]>
}

const ROW = 'hedgerow_row'

/** Sorts before every row with the same cursor value. */
export const BEFORE_TIES = ''

/**
 * Reads rows in the order of the cursor column. A hash of the content orders rows with the same value: it needs no key
 * and works for views, and rows with the same hash are the same event anyway. With an index on the cursor column,
 * PostgreSQL hashes only the rows that it reads.
 */
export function createBatches(query: Query, table: Table, cursor: TableColumn): Batches {
  const read = table.columns.flatMap((column) => {
    const expression = toExpression(ROW, column)
    return expression === undefined ? [] : [{ column, expression }]
  })
  const cursorColumn = `${ROW}.${quoteName(cursor.name)}`
  const tie = `md5((${ROW}.*)::text) collate "C"`
  const sql = (condition: string) => `
    select ${[...read.map(({ expression }) => expression), `${cursorColumn}::text`, tie]
      .map((expression, index) => `${expression} as v${index}`)
      .join(', ')}
    from ${table.reference} as ${ROW}
    where ${condition}
    order by ${cursorColumn}, ${tie}
    limit $1`
  const first = sql(`${cursorColumn} is not null`)
  const behind = sql(
    `${cursorColumn} >= $2::${cursor.type} and (${cursorColumn} > $2::${cursor.type} or ${tie} > $3)`,
  )

  return {
    columns: read.map(({ column }) => column),
    async read(after, limit) {
      const rows = after
        ? await query(behind, [limit, after.cursor, after.tie])
        : await query(first, [limit])
      return rows.map((row) => toTableRow(row, read.length))
    },
  }
}

const toTableRow = (row: Row, count: number): TableRow => ({
  values: Array.from({ length: count }, (_, index) => row[`v${index}`]),
  place: { cursor: String(row[`v${count}`]), tie: String(row[`v${count + 1}`]) },
})
