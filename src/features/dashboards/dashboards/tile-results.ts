import { LRUCache } from 'lru-cache'
import type { QueryRequest } from '#server/features/results/checked-query.ts'
import type { Filters, Overrides, Variables } from '#server/features/results/overrides.ts'
import type { RefreshPolicy } from '#server/features/results/refresh.ts'
import { toInsightResult } from '#server/features/results/representation.ts'
import type { QueryResult, Results } from '#server/features/results/results.ts'
import type { TileResults } from '../tiles/representation.ts'
import type { TileRow } from '../tiles/store.ts'

/** What a dashboard says over all of its tiles. */
export interface DashboardFilters {
  readonly project_id: number
  readonly filters: string
  readonly variables: string
}

/** What a caller says over a dashboard, for one answer. */
export interface RequestOverrides {
  readonly filters?: Filters | undefined
  readonly variables?: Variables | undefined
}

export const showsInsight = (tile: TileRow): boolean => tile.insight_id !== null

interface CachedRequest {
  readonly parts: readonly unknown[]
  readonly asked: QueryRequest
}

/** By the tile. What is asked again and again is taken apart and checked once. */
const known = new LRUCache<number, CachedRequest>({ max: 5000 })

function toTileRequest(
  dashboard: DashboardFilters,
  tile: TileRow,
  override: RequestOverrides,
  overrideText: string,
): QueryRequest {
  const { query, filters_overrides, insight_id } = tile
  const { project_id, filters, variables } = dashboard
  const parts = [project_id, insight_id, query, filters_overrides, filters, variables, overrideText]
  const before = known.get(tile.id)
  // compared, not hashed: a query has a thousand letters
  if (before?.parts.every((part, at) => part === parts[at])) return before.asked
  const asked = parseTileRequest(dashboard, tile, override)
  known.set(tile.id, { parts, asked })
  return asked
}

/** A tile's own dates win over the dashboard's, and the caller's over both. */
function parseTileRequest(
  { filters, variables }: DashboardFilters,
  tile: TileRow,
  override: RequestOverrides,
): QueryRequest {
  const overrides: Overrides = {
    filters: [
      JSON.parse(filters),
      JSON.parse(tile.filters_overrides),
      ...(override.filters ? [override.filters] : []),
    ],
    variables: { ...JSON.parse(variables), ...override.variables },
  }
  const query = JSON.parse(tile.query as string)
  return { query, overrides, insightId: tile.insight_id as number }
}

/** By the tile's id. */
export async function findTileResults(
  results: Results,
  dashboard: DashboardFilters,
  tiles: readonly TileRow[],
  refresh: RefreshPolicy,
  override: RequestOverrides = {},
): Promise<Map<number, QueryResult>> {
  // an insight without a question is not asked
  const shown = tiles.filter((tile) => showsInsight(tile) && tile.query !== '{}')
  const overrideText = JSON.stringify(override)
  const asked = shown.map((tile) => toTileRequest(dashboard, tile, override, overrideText))
  const found = await results.find(dashboard.project_id, asked, refresh)
  return new Map(shown.map((tile, index) => [tile.id, found[index] as QueryResult]))
}

export async function findTileInsightResults(
  ...given: Parameters<typeof findTileResults>
): Promise<TileResults> {
  const answers = await findTileResults(...given)
  return new Map([...answers].map(([id, found]) => [id, toInsightResult(found)]))
}
