import { SQL_TABLES } from '#model/sql-tables.ts'

/** Tables, columns and functions that the server accepts; see docs/sql.md. */
export const SQL_NAMES: readonly string[] = [
  ...new Set(
    SQL_TABLES.flatMap(({ name, columns }) => [name, ...columns.map((column) => column.name)]),
  ),
]

const AGGREGATES = ['count', 'uniq', 'sum', 'avg', 'min', 'max', 'any_value', 'median', 'quantile']

export const FUNCTIONS: readonly string[] = [
  ...AGGREGATES,
  ...AGGREGATES.filter((name) => name !== 'any_value').map((name) => `${name}If`),
  ...['row_number', 'rank', 'dense_rank', 'lag', 'lead', 'first_value', 'last_value'],
  ...['if', 'multiIf', 'coalesce', 'ifNull', 'nullIf', 'match', 'startsWith', 'empty', 'notEmpty'],
  ...['round', 'floor', 'ceil', 'trunc', 'abs', 'sign', 'sqrt', 'ln', 'exp', 'greatest', 'least'],
  ...['intDiv', 'modulo', 'concat', 'lower', 'upper', 'length', 'substring', 'left', 'right'],
  ...['trim', 'replaceAll', 'position', 'now', 'today', 'yesterday', 'toDate', 'toDateTime'],
  ...['toUnixTimestamp', 'toStartOfMinute', 'toStartOfHour', 'toStartOfDay', 'toStartOfWeek'],
  ...['toStartOfMonth', 'toStartOfQuarter', 'toStartOfYear', 'toMonday', 'date_trunc', 'dateDiff'],
  ...['toYear', 'toMonth', 'toDayOfWeek', 'toHour', 'toInt', 'toFloat', 'toString', 'toBool'],
  ...['JSONExtractFloat', 'JSONExtractString', 'matchesAction'],
]

/** `.name`, or `['name']` if it contains other than word characters. */
export const toPropertyText = (name: string): string =>
  /^[$A-Za-z_][$\w]*$/.test(name) ? `.${name}` : `['${name.replaceAll("'", "''")}']`

export const escapeQuotes = (text: string): string => text.replaceAll("'", "''")
