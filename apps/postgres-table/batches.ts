import { type Query, toTableRow } from '../table/query.ts'
import type { Batches, Table, TableColumn } from '../table/table.ts'
import { quoteName } from './names.ts'
import { toExpression } from './values.ts'

const ROW = 'hedgerow_row'

/**
 * Reads rows in the order of the cursor column. A hash of the content orders rows with the same value: it needs no key
 * and works for views, and rows with the same hash are the same event anyway. With an index on the cursor column,
 * PostgreSQL hashes only the rows that it reads.
 */
export function createBatches(
  query: Query,
  table: Pick<Table, 'reference' | 'columns'>,
  cursor: TableColumn,
): Batches {
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
