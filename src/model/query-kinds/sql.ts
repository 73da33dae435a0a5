import { settingsOf } from '../display-settings.ts'
import { SQL_DISPLAYS } from '../displays.ts'
import { toNumberView } from '../headline.ts'
import { fieldsOf, listOf } from '../json.ts'
import { toNumberFormat } from '../number-format.ts'
import { isOneNumber } from '../series-names.ts'
import { toTableStyle, toValueTable } from '../value-table.ts'
import type { QueryKind } from './query-kind.ts'
import type { HogQLQuery } from './sql.schema.ts'
import { readTable } from './sql-table.ts'

export const sql: QueryKind<HogQLQuery> = {
  id: 'sql',
  kind: 'HogQLQuery',
  name: 'SQL',
  description: 'Any query, as one SELECT over events.',
  wrapper: { kind: 'DataVisualizationNode', display: 'ActionsTable' },
  newQuery: {
    kind: 'HogQLQuery',
    query: `select toDate(timestamp) as day, count() as events, uniq(person_id) as people
from events
where timestamp >= now() - interval '30 day'
group by day
order by day`,
  },
  fields: {},
  textField: 'query',
  listNotApplied: ({ query }) => [
    ...(FILTERS.test(query) || DATE_FROM.test(query) ? [] : (['date_from'] as const)),
    ...(FILTERS.test(query) || DATE_TO.test(query) ? [] : (['date_to'] as const)),
    ...(FILTERS.test(query) ? [] : (['properties'] as const)),
  ],
  readsClock: true,
  settingsField: 'chartSettings',
  display: {
    all: SQL_DISPLAYS,
    set: (node, display) => ({ ...node, kind: 'DataVisualizationNode', display }),
  },

  toRows(result) {
    const { columns, results } = fieldsOf(result)
    return [listOf(columns), ...listOf<readonly unknown[]>(results)]
  },

  toTextView(chart) {
    const { display, columns, rows, lines } = readTable(chart)
    if (rows.length === 0) return undefined
    const settings = settingsOf(chart.query)
    if (display.form === 'number') {
      return isOneNumber(lines)
        ? toNumberView(lines, toNumberFormat(settings), settings)
        : toValueTable(lines, settings)
    }
    return display.form === 'table'
      ? { form: 'table', columns, rows, ...toTableStyle(settings) }
      : undefined
  },

  actors: { within: 'ActorsQuery' },
  loadDrawing: async () => (await import('../charts/sql.ts')).drawSql,
  hasColumns: true,
  alert: {},
}

const FILTERS = /\{\s*filters\s*\}/
const DATE_FROM = /\{\s*filters\.dateRange\.from\s*\}/
const DATE_TO = /\{\s*filters\.dateRange\.to\s*\}/
