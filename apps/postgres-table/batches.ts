import type { Row } from '../shared/app.ts'
import { type Query, quoteName, type Table, type TableColumn } from './table.ts'
import { toExpression } from './values.ts'

/** Where a batch ends: after this row of this cursor value. */
export interface Place {
  readonly cursor: string
  readonly tie: string
}

export interface TableRow {
  readonly values: readonly unknown[]
  readonly place: Place
}

export interface Batches {
  /** Those that `TableRow.values` are of. */
  readonly columns: readonly TableColumn[]
  /** The next rows behind a place, or the first. */
  read(after: Place | undefined, limit: number): Promise<TableRow[]>
}

const ROW = 'hedgerow_row'

/** Before every row of a cursor value. */
export const BEFORE_TIES = ''

/**
 * Rows in the order of the cursor column. Rows with the same value are told apart by a hash of all they hold: it needs
 * no key, works for views too, and rows that it cannot tell apart are the same event anyway. An index on the cursor
 * column serves the order; PostgreSQL then hashes only the rows that it reads.
 */
export function createBatches(query: Query, table: Table, cursor: TableColumn): Batches {
  const read = table.columns.flatMap((column) => {
    const expression = toExpression(ROW, column)
    return expression === undefined ? [] : [{ column, expression }]
  })
  const place = `${ROW}.${quoteName(cursor.name)}`
  const tie = `md5((${ROW}.*)::text) collate "C"`
  const sql = (condition: string) => `
    select ${[...read.map(({ expression }) => expression), `${place}::text`, tie]
      .map((expression, index) => `${expression} as v${index}`)
      .join(', ')}
    from ${table.reference} as ${ROW}
    where ${condition}
    order by ${place}, ${tie}
    limit $1`
  const first = sql(`${place} is not null`)
  const behind = sql(
    `${place} >= $2::${cursor.type} and (${place} > $2::${cursor.type} or ${tie} > $3)`,
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
