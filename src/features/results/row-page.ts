import {
  arrayText,
  type JsonFields,
  type JsonText,
  plain,
  quoted,
  toJsonText,
} from '#server/http/json-text.ts'

/** A column of the response. */
export interface Column<Row> {
  readonly name: string
  readonly type: string
  read(row: Row): JsonText
}

/** A page of rows that were not cached, and everything else of the response. */
export interface RowPage<Row> {
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly hasMore: boolean
  readonly limit: number
  readonly offset: number
  readonly zone: string
  readonly unreached: readonly string[]
}

export const rowPageFields = <Row>(): JsonFields<RowPage<Row>, void> => ({
  results: ({ rows, columns }) =>
    arrayText(rows.map((row) => arrayText(columns.map(({ read }) => read(row))))),
  columns: ({ columns }) => toJsonText(columns.map(({ name }) => name)),
  types: ({ columns }) => toJsonText(columns.map(({ name, type }) => [name, type])),
  hasMore: ({ hasMore }) => hasMore,
  limit: ({ limit }) => limit,
  offset: ({ offset }) => offset,
  is_cached: () => false,
  last_refresh: () => plain(new Date().toISOString()),
  cache_key: () => plain(''),
  timezone: ({ zone }) => quoted(zone),
  query_status: () => null,
  error: () => null,
  filters_not_applied: ({ unreached }) => toJsonText(unreached),
})
