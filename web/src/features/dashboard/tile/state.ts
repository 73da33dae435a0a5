import type { Tile } from '#server/features/dashboards/tiles/schema.ts'

export const isComputing = ({ insight }: Tile): boolean => insight?.query_status?.complete === false

/** What went wrong the last time, in the server's words. */
export const tileProblem = ({ insight }: Tile): string | undefined =>
  insight?.query_status?.error
    ? (insight.query_status.error_message ?? 'It could not be computed.')
    : undefined

/** An insight that asks nothing has nothing to wait for. */
export const hasQuery = ({ insight }: Tile): boolean =>
  insight !== null && Object.keys(insight.query).length > 0

/** When the oldest of the numbers was computed. */
export function oldestRefresh(tiles: readonly Tile[]): string | null {
  const times = tiles.flatMap(({ last_refresh }) => last_refresh ?? [])
  return times.sort()[0] ?? null
}

export const tileTitle = (tile: Tile): string =>
  tile.insight ? tile.insight.name || 'Untitled insight' : 'Text'
