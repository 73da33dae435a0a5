import { type CSSProperties, useMemo, useState } from 'react'
import { toLabel } from '#model/format.ts'
import { formatCell } from '#model/number-format.ts'
import { paletteOf } from '#model/palette.ts'
import type { TableView } from '#model/query-kinds/query-kind.ts'
import { isNumeric, toCellLook, toMaxima } from '#model/value-table.ts'
import classes from './result-table.module.css'
import { nextSorting, type Sorting, sortRows } from './sort-rows.ts'
import { useScheme } from './use-scheme.ts'

interface ResultTableProps
  extends Partial<Pick<TableView, 'format' | 'total' | 'cells' | 'rules' | 'ids'>> {
  readonly title: string
  readonly columns: readonly unknown[]
  readonly rows: readonly (readonly unknown[])[]
  /** More rows would slow down the page; exports contain all of them. */
  readonly maxRows?: number
  readonly onCell?: OnCell | undefined
}

/** Returns the action of a cell, which makes it a button. */
export type OnCell = (row: number, column: number) => (() => void) | undefined

/** A scrolling table with a sticky header, whose columns sort the rows; numbers are right-aligned. */
export function ResultTable({
  title,
  columns,
  rows,
  format,
  total,
  cells,
  rules,
  ids,
  maxRows = 500,
  onCell,
}: ResultTableProps) {
  const [sorting, setSorting] = useState<Sorting>()
  const order = useMemo(() => sortRows(rows, sorting), [rows, sorting])
  const toStyle = useCellStyle({ columns, rows, cells, rules })
  const isNumber = columns.map((_, at) => isNumeric(rows, at))
  const toClass = (at: number) => (isNumber[at] ? classes.amount : undefined)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable
    <section className={classes.scroller} aria-label={title} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            {columns.map((name, at) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: column names may repeat
                key={at}
                scope="col"
                className={toClass(at)}
                {...(sorting?.column === at && {
                  'aria-sort': sorting.isDescending ? 'descending' : 'ascending',
                })}
              >
                <button
                  type="button"
                  className={classes.sort}
                  onClick={() => setSorting(nextSorting(sorting, at, isNumber[at] ?? false))}
                >
                  {toLabel(name)}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {order.slice(0, maxRows).map((index) => (
            <tr key={index}>
              {columns.map((_, at) => {
                const cell = rows[index]?.[at] ?? null
                return (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: same as its column
                    key={at}
                    className={toClass(at)}
                    style={toStyle(cell, at)}
                    title={(at === 0 ? ids?.[index] : undefined) ?? wholeText(cell)}
                  >
                    <Cell text={formatCell(cell, format)} onClick={onCell?.(index, at)} />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
        {total && (
          <tfoot>
            <tr>
              {columns.map((_, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: same as its column
                <td key={at} className={toClass(at)}>
                  {formatCell(total[at] ?? null, format)}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
      {rows.length > maxRows && (
        <p className={classes.more}>
          Showing {maxRows.toLocaleString('en')} of {rows.length.toLocaleString('en')} rows. Export
          to get all of them.
        </p>
      )}
    </section>
  )
}

/** Colors the cells of numbers, or fills a part of them. */
function useCellStyle({
  cells,
  rules,
  ...table
}: Pick<ResultTableProps, 'columns' | 'rows' | 'cells' | 'rules'>) {
  const palette = paletteOf(useScheme())
  const maxima = cells ? toMaxima(table) : []
  return (cell: unknown, column: number): CSSProperties | undefined => {
    const style = { cells, rules, palette, column: table.columns[column] }
    const look = toCellLook(cell, maxima[column] ?? 0, style)
    if (!look) return undefined
    const { fill, share, ink } = look
    if (share === 1) return { background: fill, color: ink }
    const end = `${Math.round(share * 100)}%`
    return { background: `linear-gradient(to right, ${fill} ${end}, transparent ${end})` }
  }
}

interface CellProps {
  readonly text: string
  readonly onClick: (() => void) | undefined
}

const Cell = ({ text, onClick }: CellProps) =>
  onClick && text !== '' ? (
    <button type="button" className={classes.button} title="View persons" onClick={onClick}>
      {text}
    </button>
  ) : (
    text
  )

/** A cell shows about 60 characters. */
const wholeText = (cell: unknown): string | undefined =>
  typeof cell === 'string' && cell.length > 50 ? cell : undefined
