import { type Query, toTableRow } from '../table/query.ts'
import type { Batches, Table, TableColumn } from '../table/table.ts'
import { quoteName, toCursorCast, toExpression } from './values.ts'

const ROW = 'hedgerow_row'

/**
 * Reads rows in the order of the cursor column. A hash of the content orders rows with the same value: it needs no key
 * and works for views, and rows with the same hash are the same event anyway.
 */
export function createBatches(
  query: Query,
  { reference, columns }: Pick<Table, 'reference' | 'columns'>,
  cursor: TableColumn,
): Batches {
  const read = columns.flatMap((column) => {
    const expression = toExpression(ROW, column)
    return expression === undefined ? [] : [{ column, expression }]
  })
  const cursorColumn = `${ROW}.${quoteName(cursor.name)}`
  const wanted = toCursorCast(cursor)
  // a hash of each column first, because a function of whole rows ends at the size of a packet
  const hashes = columns.map(({ name }) => `ifnull(md5(${ROW}.${quoteName(name)}), '-')`)
  const tie = `cast(md5(concat_ws(',', ${hashes.join(', ')})) as binary)`
  const sql = (condition: string) => `
    select ${[...read.map(({ expression }) => expression), `cast(${cursorColumn} as char)`]
      .map((expression, index) => `${expression} as v${index}`)
      .join(', ')}, cast(${tie} as char) as v${read.length + 1}
    from ${reference} as ${ROW}
    where ${condition}
    order by ${cursorColumn}, ${tie}
    limit ?`
  const first = sql(`${cursorColumn} is not null`)
  const behind = sql(
    `${cursorColumn} >= ${wanted} and (${cursorColumn} > ${wanted} or ${tie} > cast(? as binary))`,
  )

  return {
    columns: read.map(({ column }) => column),
    async read(after, limit) {
      const rows = after
        ? await query(behind, [after.cursor, after.cursor, after.tie, limit])
        : await query(first, [limit])
      return rows.map((row) => toTableRow(row, read.length))
    },
  }
}
