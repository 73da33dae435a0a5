import { LRUCache } from 'lru-cache'
import { type Filters, isFilled } from '#model/dashboard-filters.ts'
import type { Caller } from '#server/access/guard.ts'
import { requireScope } from '#server/access/requirements.ts'
import { invalid } from '#server/errors.ts'
import type { RefreshPolicy } from '#server/features/results/cache/refresh.ts'
import { requireKnownFilters, type Variables } from '#server/features/results/check/overrides.ts'
import type { QueryRequest } from '#server/features/results/check/prepare-queries.ts'
import type { QueryResult, Results } from '#server/features/results/results.ts'
import type { TileRow } from '../tiles/store.ts'
import type { DashboardReadQuery } from './schema.ts'

/** The filters and variables that a dashboard applies to all of its tiles, as JSON. */
export interface DashboardFilters {
  readonly project_id: number
  readonly filters: string
  readonly variables: string
}

/** Filters and variables that replace the dashboard's for one request. */
export interface RequestOverrides {
  readonly filters?: Filters | undefined
  readonly variables?: Variables | undefined
}

/** Parses the overrides in a query string. Those that choose other events than the dashboard need `query:read`. */
export function toRequestOverrides(caller: Caller, query: DashboardReadQuery): RequestOverrides {
  const filters: Filters | undefined = parseObject('filters_override', query.filters_override)
  const variables = parseObject('variables_override', query.variables_override)
  if (filters) requireKnownFilters(filters, 'filters_override')
  const choosesEvents = isFilled(filters?.properties) || Object.keys(variables ?? {}).length > 0
  if (choosesEvents) requireScope(caller, 'query:read')
  return { filters, variables: variables as Variables | undefined }
}

function parseObject(attr: string, text: string | undefined): object | undefined {
  if (text === undefined || text === '') return undefined
  try {
    const value = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // refused below, like JSON that is not an object
  }
  throw invalid(attr, `Invalid JSON passed in ${attr} parameter`)
}

/** Returns the results of the tiles that have a query, by tile id. */
export async function findTileResults(
  results: Results,
  dashboard: DashboardFilters,
  tiles: readonly TileRow[],
  policy: RefreshPolicy,
  overrides: RequestOverrides = {},
): Promise<Map<number, QueryResult>> {
  const queried = tiles.filter(({ insight_id, query }) => insight_id !== null && query !== '{}')
  const overridesText = JSON.stringify(overrides)
  const requests = queried.map((tile) => toRequest(dashboard, tile, overrides, overridesText))
  const found = await results.find(dashboard.project_id, requests, policy)
  return new Map(queried.map((tile, index) => [tile.id, found[index] as QueryResult]))
}

interface CachedRequest {
  readonly inputs: readonly unknown[]
  readonly request: QueryRequest
}

/** Requests by tile id. A dashboard that is polled parses and checks each query once. */
const requests = new LRUCache<number, CachedRequest>({ max: 5000 })

function toRequest(
  dashboard: DashboardFilters,
  tile: TileRow,
  overrides: RequestOverrides,
  overridesText: string,
): QueryRequest {
  const { id, query, filters_overrides, insight_id } = tile
  const { project_id, filters, variables } = dashboard
  const inputs = [
    project_id,
    insight_id,
    query,
    filters_overrides,
    filters,
    variables,
    overridesText,
  ]
  const cached = requests.get(id)
  // compared, not hashed: a query has a thousand characters
  if (cached?.inputs.every((input, index) => input === inputs[index])) return cached.request
  const request = parseRequest(dashboard, tile, overrides)
  requests.set(id, { inputs, request })
  return request
}

/** The dates of the tile win over the dashboard's, and those of the request over both. */
function parseRequest(
  { filters, variables }: DashboardFilters,
  tile: TileRow,
  overrides: RequestOverrides,
): QueryRequest {
  return {
    query: JSON.parse(tile.query as string),
    overrides: {
      filters: [
        JSON.parse(filters),
        JSON.parse(tile.filters_overrides),
        ...(overrides.filters ? [overrides.filters] : []),
      ],
      variables: { ...JSON.parse(variables), ...overrides.variables },
    },
    insightId: tile.insight_id as number,
  }
}
