/** What can be written, as docs/sql.md has it: what is not here would be refused. */
export const COLUMNS = ['uuid', 'event', 'distinct_id', 'person_id', 'timestamp', 'properties']

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
  ...['JSONExtractFloat', 'JSONExtractString'],
]

/** As a name after a dot, or in brackets when it has more than letters. */
export const toPropertyText = (name: string): string =>
  /^[$A-Za-z_][$\w]*$/.test(name) ? `.${name}` : `['${name.replaceAll("'", "''")}']`

export const escapeQuotes = (text: string): string => text.replaceAll("'", "''")
