import { LRUCache } from 'lru-cache'
import type { Filters, Overrides, Variables } from '#server/features/results/overrides.ts'
import { toInsightResult } from '#server/features/results/present.ts'
import type { Asked } from '#server/features/results/question.ts'
import type { Found, Refresh, Results } from '#server/features/results/results.ts'
import type { TileResults } from '../tiles/representation.ts'
import type { TileRow } from '../tiles/store.ts'

/** What a dashboard says over all of its tiles. */
export interface DashboardState {
  readonly project_id: number
  readonly filters: string
  readonly variables: string
}

/** What a caller says over a dashboard, for one answer. */
export interface Override {
  readonly filters?: Filters | undefined
  readonly variables?: Variables | undefined
}

export const showsInsight = (tile: TileRow): boolean => tile.insight_id !== null

interface Known {
  readonly parts: readonly unknown[]
  readonly asked: Asked
}

/** By the tile. What is asked again and again is taken apart and checked once. */
const known = new LRUCache<number, Known>({ max: 5000 })

function toAsked(
  dashboard: DashboardState,
  tile: TileRow,
  override: Override,
  overrideText: string,
): Asked {
  const { query, filters_overrides, insight_id } = tile
  const { project_id, filters, variables } = dashboard
  const parts = [project_id, insight_id, query, filters_overrides, filters, variables, overrideText]
  const before = known.get(tile.id)
  // compared, not hashed: a query has a thousand letters
  if (before?.parts.every((part, at) => part === parts[at])) return before.asked
  const asked = takeApart(dashboard, tile, override)
  known.set(tile.id, { parts, asked })
  return asked
}

/** A tile's own dates win over the dashboard's, and the caller's over both. */
function takeApart(
  { filters, variables }: DashboardState,
  tile: TileRow,
  override: Override,
): Asked {
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
export async function findTileAnswers(
  results: Results,
  dashboard: DashboardState,
  tiles: readonly TileRow[],
  refresh: Refresh,
  override: Override = {},
): Promise<Map<number, Found>> {
  // an insight without a question is not asked
  const shown = tiles.filter((tile) => showsInsight(tile) && tile.query !== '{}')
  const overrideText = JSON.stringify(override)
  const asked = shown.map((tile) => toAsked(dashboard, tile, override, overrideText))
  const found = await results.find(dashboard.project_id, asked, refresh)
  return new Map(shown.map((tile, index) => [tile.id, found[index] as Found]))
}

export async function findTileResults(
  ...given: Parameters<typeof findTileAnswers>
): Promise<TileResults> {
  const answers = await findTileAnswers(...given)
  return new Map([...answers].map(([id, found]) => [id, toInsightResult(found)]))
}
