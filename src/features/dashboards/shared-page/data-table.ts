import { fullNumber, toLabel } from '#model/format.ts'
import { type Html, html } from '#server/html/html.ts'

type Rows = readonly (readonly unknown[])[]

/** More is in the CSV. */
const MOST_ROWS = 100
const MOST_COLUMNS = 20

/** What a chart shows, in figures, for who cannot see it or wants to copy them. */
export function dataTable(title: string, [header = [], ...rows]: Rows): Html {
  const shown = rows.slice(0, MOST_ROWS).map((row) => row.slice(0, MOST_COLUMNS))
  const names = header.slice(0, MOST_COLUMNS)
  const isNumber = names.map((_, at) => shown.every((row) => isNumberOrNothing(row[at])))
  const cellClass = (at: number) => isNumber[at] && html` class="number"`
  const left = [
    rows.length > MOST_ROWS ? `${rows.length - MOST_ROWS} more rows` : '',
    header.length > MOST_COLUMNS ? `${header.length - MOST_COLUMNS} more columns` : '',
  ].filter(Boolean)
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Figures of ${title}"><table>
<thead><tr>${names.map((name, at) => html`<th scope="col"${cellClass(at)}>${toLabel(name)}</th>`)}</tr></thead>
<tbody>${shown.map((row) => html`<tr>${row.map((cell, at) => html`<td${cellClass(at)}>${toCell(cell)}</td>`)}</tr>`)}</tbody>
</table></div>${left.length > 0 && html`<p>and ${left.join(', ')}</p>`}`
}

const isNumberOrNothing = (cell: unknown): boolean =>
  typeof cell === 'number' || cell === null || cell === undefined

const toCell = (cell: unknown): string =>
  typeof cell === 'number' ? fullNumber(cell) : cell === null ? '' : toLabel(cell)
