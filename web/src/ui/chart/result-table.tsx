import { formatCell, toLabel } from '#model/format.ts'
import classes from './result-table.module.css'

interface FiguresTableProps {
  readonly title: string
  readonly columns: readonly unknown[]
  readonly rows: readonly (readonly unknown[])[]
  /** More rows would slow down the page; exports contain all of them. */
  readonly maxRows?: number
  readonly onCell?: OnCell | undefined
}

/** Returns the action of a cell, which makes it a button. */
export type OnCell = (row: number, column: number) => (() => void) | undefined

/** A scrolling table with a sticky header; numbers are right-aligned. */
export function ResultTable({ title, columns, rows, maxRows = 500, onCell }: FiguresTableProps) {
  const shown = rows.slice(0, maxRows)
  const isNumber = columns.map((_, at) => isNumeric(rows, at))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable
    <section className={classes.scroller} aria-label={title} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            {columns.map((name, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: column names may repeat
              <th key={at} scope="col" className={isNumber[at] ? classes.amount : undefined}>
                {toLabel(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ID and do not move
            <tr key={index}>
              {columns.map((_, at) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: same as its column
                  key={at}
                  className={isNumber[at] ? classes.amount : undefined}
                  title={wholeText(row[at])}
                >
                  <Cell text={formatCell(row[at] ?? null)} onClick={onCell?.(index, at)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
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

const isNumeric = (rows: readonly (readonly unknown[])[], at: number): boolean =>
  rows.some((row) => typeof row[at] === 'number') &&
  rows.every((row) => (row[at] ?? null) === null || typeof row[at] === 'number')
