import type { Chart } from '../chart.ts'
import { percent, toLabel } from '../format.ts'
import { fieldsOf, listOf } from '../json.ts'
import { toValueLabel } from '../names/event-label.ts'
import type { RowNames } from '../names/row-names.ts'
import { PLAIN } from '../number-format.ts'
import { FIGURE_LABELS, formatFigure, isPair, type WebFigure } from '../web-figures.ts'
import type { Rows, TableView } from './query-kind.ts'

/** The dates of the page of web analytics. */
export const LAST_WEEK = { date_from: '-7d' }

const PREFIX = 'context.columns.'
const NAMES: Readonly<Record<string, string>> = {
  breakdown_value: 'value',
  action_name: 'goal',
}

const nameColumn = (column: unknown): string => {
  const name = String(column).replace(PREFIX, '')
  return NAMES[name] ?? name
}

const read = (result: unknown) => {
  const { columns, results } = fieldsOf(result)
  const rows = listOf<readonly unknown[]>(results)
  const hasPrevious = rows.some((row) => row.some((cell) => isPair(cell) && cell[1] !== null))
  return { columns: listOf(columns).map(nameColumn), rows, hasPrevious }
}

/** Writes each number of the current period, and that of the previous one beside it if there is one. */
export function toPairRows(result: unknown, names: RowNames): Rows {
  const { columns, rows, hasPrevious } = read(result)
  const [label = 'value', ...numbers] = columns
  return [
    [label, ...numbers.flatMap((name) => (hasPrevious ? [name, `previous_${name}`] : [name]))],
    ...rows.map(([value, ...cells]) => [
      value === null ? '' : names.value(String(value)),
      ...cells.filter(isPair).flatMap((pair) => (hasPrevious ? pair : [pair[0]])),
    ]),
  ]
}

const HEADINGS: Readonly<Record<string, string>> = {
  value: 'Value',
  goal: 'Goal',
  visitors: 'Visitors',
  views: 'Views',
  bounce_rate: 'Bounce rate',
  converting_users: 'People',
  total: 'Times',
  conversion_rate: 'Conversion',
}
/** Columns with shares from 0 to 1. */
const SHARES: readonly string[] = ['bounce_rate', 'conversion_rate']

/** Shows the numbers of the current period. */
export function toPairView({ result }: Chart): TableView | undefined {
  const { columns, rows } = read(result)
  if (rows.length === 0) return undefined
  return {
    form: 'table',
    columns: columns.map((name) => HEADINGS[name] ?? name),
    rows: rows.map(([value, ...cells]) => [
      value === null ? '(none)' : toLabel(toValueLabel(String(value))),
      ...cells.filter(isPair).map(([now], at) => {
        const isShare = SHARES.includes(columns[at + 1] ?? '')
        return isShare && now !== null ? percent(now) : now
      }),
    ]),
    format: PLAIN,
    cells: 'bars',
  }
}

/** Shows the figures below each other. */
export function toFiguresView({ result }: Chart): TableView | undefined {
  const figures = listOf<WebFigure>(result)
  if (figures.length === 0) return undefined
  const hasPrevious = figures.some(({ previous }) => previous !== null)
  return {
    form: 'table',
    columns: ['Figure', 'Now', ...(hasPrevious ? ['Previously'] : [])],
    rows: figures.map(({ key, kind, value, previous }) => [
      FIGURE_LABELS[key],
      formatFigure(kind, value),
      ...(hasPrevious ? [formatFigure(kind, previous)] : []),
    ]),
    format: PLAIN,
  }
}
