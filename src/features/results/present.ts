import type { JsonText } from '#server/http/json-text.ts'
import type { Found } from './results.ts'

/** What the query of an insight has answered, and when. */
export interface InsightResult {
  readonly result: JsonText
  readonly last_refresh: string | null
  readonly is_cached: boolean
  readonly cache_target_age: string | null
  readonly next_allowed_client_refresh: string | null
  /** A JSON object, whose fields depend on the kind of query. Read only where they are shown. */
  readonly details: string
  readonly timezone: string | null
  readonly query_status: object | null
}

/** What can be said of an answer that is being computed, or that there cannot be. */
export interface QueryStatus {
  readonly id: string
  readonly complete: boolean
  readonly error: boolean
  readonly error_message: string | null
}

/** null: there is nothing to wait for. */
export const toStatus = ({ key, isRunning, problem }: Found): QueryStatus | null =>
  isRunning || problem
    ? {
        id: key,
        complete: !isRunning,
        error: problem !== undefined,
        error_message: problem?.message ?? null,
      }
    : null

/** As an insight and a tile show it. */
export function toInsightResult(found: Found): InsightResult {
  const { row, zone } = found
  return {
    result: (row?.results ?? 'null') as JsonText,
    last_refresh: row?.computed_at ?? null,
    is_cached: typeof row?.results === 'string',
    cache_target_age: null,
    next_allowed_client_refresh: null,
    details: row?.details ?? '{}',
    timezone: row ? zone : null,
    query_status: toStatus(found),
  }
}

/** By itself, as an answer to a query. */
export function toAnswerText(found: Found, wasKnown: boolean): JsonText {
  const { row, key, zone } = found
  const details = row?.details.slice(1, -1)
  const rest = JSON.stringify({
    is_cached: wasKnown,
    last_refresh: row?.computed_at ?? null,
    cache_key: key,
    timezone: zone,
    query_status: toStatus(found),
    error: found.problem?.message ?? null,
  }).slice(1, -1)
  return `{"results":${row?.results ?? null},${details ? `${details},` : ''}${rest}}` as JsonText
}
