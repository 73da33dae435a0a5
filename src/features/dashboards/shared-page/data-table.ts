import { fullNumber, toLabel } from '#model/format.ts'
import { type Html, html } from '#server/html/html.ts'
import { mapInTurns } from '#server/turns.ts'

type Rows = readonly (readonly unknown[])[]

/** The CSV file has all rows and columns. */
const MAX_ROWS = 100
const MAX_COLUMNS = 20

/** The data of a chart as a table, for screen readers and to copy. */
export async function dataTable(title: string, [header = [], ...rows]: Rows): Promise<Html> {
  const shown = rows.slice(0, MAX_ROWS).map((row) => row.slice(0, MAX_COLUMNS))
  const names = header.slice(0, MAX_COLUMNS)
  const isNumber = names.map((_, index) => shown.every((row) => isNumberOrEmpty(row[index])))
  const cellClass = (index: number) => isNumber[index] && html` class="number"`
  const lines = await mapInTurns(
    shown,
    (row) =>
      html`<tr>${row.map((cell, index) => html`<td${cellClass(index)}>${toCell(cell)}</td>`)}</tr>`,
  )
  const omitted = [
    rows.length > MAX_ROWS ? `${rows.length - MAX_ROWS} more rows` : '',
    header.length > MAX_COLUMNS ? `${header.length - MAX_COLUMNS} more columns` : '',
  ].filter(Boolean)
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Data of ${title}"><table>
<thead><tr>${names.map((name, index) => html`<th scope="col"${cellClass(index)}>${toLabel(name)}</th>`)}</tr></thead>
<tbody>${lines}</tbody>
</table></div>${omitted.length > 0 && html`<p>and ${omitted.join(', ')}</p>`}`
}

const isNumberOrEmpty = (cell: unknown): boolean =>
  typeof cell === 'number' || cell === null || cell === undefined

const toCell = (cell: unknown): string =>
  typeof cell === 'number' ? fullNumber(cell) : cell === null ? '' : toLabel(cell)
