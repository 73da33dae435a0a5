import { toCell } from '#model/charts/sql.ts'
import { toLabel } from '#model/format.ts'
import classes from './figures.module.css'

interface FiguresTableProps {
  readonly title: string
  readonly columns: readonly unknown[]
  readonly rows: readonly (readonly unknown[])[]
  /** More rows than this would make the page slow; a file holds them all. */
  readonly most?: number
}

/** Words at the left, numbers at the right, scrolled inside of its place with the head in sight. */
export function FiguresTable({ title, columns, rows, most = 500 }: FiguresTableProps) {
  const shown = rows.slice(0, most)
  const isNumber = columns.map((_, at) => isNumeric(rows, at))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className={classes.scroller} aria-label={title} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            {columns.map((name, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
              <th key={at} scope="col" className={isNumber[at] ? classes.amount : undefined}>
                {toLabel(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names, and do not move
            <tr key={index}>
              {columns.map((_, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as its column
                <td key={at} className={isNumber[at] ? classes.amount : undefined}>
                  {toCell(row[at] ?? null)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most && (
        <p className={classes.more}>
          The first {most.toLocaleString('en')} of {rows.length.toLocaleString('en')} rows. Export
          it to have them all.
        </p>
      )}
    </section>
  )
}

const isNumeric = (rows: readonly (readonly unknown[])[], at: number): boolean =>
  rows.some((row) => typeof row[at] === 'number') &&
  rows.every((row) => (row[at] ?? null) === null || typeof row[at] === 'number')
