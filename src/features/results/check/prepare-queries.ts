import { withoutSettings } from '#model/display-settings.ts'
import type { ValidQuery } from '#server/analytics/queries/run-query.ts'
import { ApiError } from '#server/errors.ts'
import { compileSchemas } from './compile-schemas.ts'
import { applyOverrides, type Overrides } from './overrides.ts'
import { parseQuery } from './parse-query.ts'

/** A query with the overrides of the dashboard and tile that show it. */
export interface QueryRequest {
  readonly query: object
  readonly overrides: Overrides
  /** Names the query in error messages; `query` by default. */
  readonly attr?: string
  /** The insight to which the query belongs; its dashboards change when the result does. */
  readonly insightId?: number
}

/** A valid query with its overrides applied. It does not depend on the project: callers that show it again can keep it. */
export interface PreparedQuery {
  readonly source: ValidQuery
  /** The path of `source` in the request, for error messages. */
  readonly attr: string
  readonly insightId: number | undefined
  /** The keys of the overriding filters that cannot change the result. */
  readonly notApplied: readonly string[]
  /** The query without display settings, in JSON with sorted keys: neither they nor the order of keys change the cache key. */
  readonly text: string
}

/** Prepares queries, in order. An invalid query becomes its error and does not affect the others. */
export async function prepareQueries(
  requests: readonly QueryRequest[],
): Promise<(PreparedQuery | ApiError)[]> {
  await compileSchemas(requests.map(({ query }) => query))
  return requests.map(prepareQuery)
}

function prepareQuery({
  query,
  overrides,
  insightId,
  attr: given,
}: QueryRequest): PreparedQuery | ApiError {
  try {
    const { source: original, attr } = parseQuery(query, given)
    const { source, notApplied } = applyOverrides(original, overrides)
    if (source !== original) parseQuery(source, attr) // a dashboard's filters can be invalid too
    return { source, attr, insightId, notApplied, text: toQueryText(source) }
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

export const toQueryText = (source: ValidQuery): string =>
  JSON.stringify(sortKeys(withoutSettings(source)))

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sortKeys(each)]))
}
