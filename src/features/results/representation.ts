import {
  type JsonText,
  jsonWriter,
  mergeObjects,
  prependField,
  quoted,
  stored,
  toJsonText,
} from '#server/http/json-text.ts'
import type { QueryResult } from './results.ts'

/** The result fields of an insight and of a tile. */
export interface InsightResult {
  readonly result: JsonText
  readonly last_refresh: string | null
  readonly is_cached: boolean
  readonly cache_target_age: string | null
  readonly next_allowed_client_refresh: string | null
  /** A JSON object whose fields depend on the kind of query; parsed only where a field is shown. */
  readonly details: string
  readonly timezone: string | null
  readonly query_status: object | null
  readonly filters_not_applied: readonly string[]
}

/** The state of a running computation, or the error of a query that has no result. */
export interface QueryStatus {
  readonly id: string
  readonly complete: boolean
  readonly error: boolean
  readonly error_message: string | null
}

/** Returns null when there is nothing to wait for. */
export const toQueryStatus = ({ key, isRunning, problem }: QueryResult): QueryStatus | null =>
  isRunning || problem
    ? {
        id: key,
        complete: !isRunning,
        error: problem !== undefined,
        error_message: problem?.message ?? null,
      }
    : null

export function toInsightResult(result: QueryResult): InsightResult {
  const { row, zone } = result
  return {
    result: (row?.results ?? 'null') as JsonText,
    last_refresh: row?.computed_at ?? null,
    is_cached: typeof row?.results === 'string',
    cache_target_age: null,
    next_allowed_client_refresh: null,
    details: row?.details ?? '{}',
    timezone: row ? zone : null,
    query_status: toQueryStatus(result),
    filters_not_applied: result.notApplied,
  }
}

/** Writes a result for charts and files: the rows and columns of a table, or the series of a chart. */
export function toResultJson({ row }: QueryResult): JsonText {
  if (!row?.results) return stored('null')
  const { columns, types, hasMore } = JSON.parse(row.details)
  if (!columns) return stored(row.results)
  return prependField('results', stored(row.results), toJsonText({ columns, types, hasMore }))
}

export const toResultValue = (result: QueryResult): unknown => JSON.parse(toResultJson(result))

/** Writes the response of the query endpoint. `details` adds fields that depend on the kind of query. */
export const toResultText = (result: QueryResult, isCached: boolean): JsonText =>
  prependField(
    'results',
    stored(result.row?.results ?? 'null'),
    mergeObjects(stored(result.row?.details ?? '{}'), toResultState(result, { isCached })),
  )

export const toResultState = jsonWriter<QueryResult, { readonly isCached: boolean }>({
  is_cached: (_result, { isCached }) => isCached,
  last_refresh: ({ row }) => quoted(row?.computed_at ?? null),
  cache_key: ({ key }) => quoted(key),
  timezone: ({ zone }) => quoted(zone),
  query_status: (result) => toJsonText(toQueryStatus(result)),
  error: ({ problem }) => quoted(problem?.message ?? null),
  filters_not_applied: ({ notApplied }) => toJsonText(notApplied),
})
