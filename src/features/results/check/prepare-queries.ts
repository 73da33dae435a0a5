import type { Context } from '#server/analytics/queries/plan.ts'
import type { ValidQuery } from '#server/analytics/queries/run-query.ts'
import { ApiError } from '#server/errors.ts'
import { toCacheKey } from '../cache/cache-key.ts'
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

/** A valid query with its overrides applied. */
export interface CheckedQuery {
  readonly key: string
  readonly source: ValidQuery
  /** The path of `source` in the request, for error messages. */
  readonly attr: string
  readonly insightId: number | undefined
  /** The keys of the overriding filters that cannot change the result. */
  readonly unreached: readonly string[]
}

/** Checked queries by request object: a tile's request is kept by its caller and need not be checked twice. */
const checked = new WeakMap<
  QueryRequest,
  { readonly settings: string; readonly query: CheckedQuery | ApiError }
>()

/** Checks each request, in order. An invalid query becomes its error and does not affect the others. */
export function checkQueries(
  projectId: number,
  requests: readonly QueryRequest[],
  context: Omit<Context, 'attr'>,
  cohortRevision: number,
): (CheckedQuery | ApiError)[] {
  const { zone, weekStart, testAccountFilters } = context
  const settings = JSON.stringify([projectId, zone, weekStart, testAccountFilters, cohortRevision])
  return requests.map((request) => {
    const cached = checked.get(request)
    if (cached?.settings === settings) return cached.query
    const query = checkQuery(projectId, request, context, cohortRevision)
    checked.set(request, { settings, query })
    return query
  })
}

function checkQuery(
  projectId: number,
  { query, overrides, insightId, attr: given }: QueryRequest,
  context: Omit<Context, 'attr'>,
  cohortRevision: number,
): CheckedQuery | ApiError {
  try {
    const { source: original, attr } = parseQuery(query, given)
    const { source, unreached } = applyOverrides(original, overrides)
    if (source !== original) parseQuery(source, attr) // a dashboard's filters can be invalid too
    const key = toCacheKey(projectId, source, context, cohortRevision)
    return { key, source, attr, insightId, unreached }
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
