import type { Tile } from '#server/features/dashboards/tiles/schema.ts'

export const isComputing = ({ insight }: Tile): boolean => insight?.query_status?.complete === false

/** The server's error message of the last computation. */
export const tileError = ({ insight }: Tile): string | undefined =>
  insight?.query_status?.error
    ? (insight.query_status.error_message ?? 'The result could not be computed.')
    : undefined

/** Lists the dashboard filters that do not affect the result. */
export function notAppliedNote({ filters_not_applied: keys }: Tile): string | undefined {
  const dates = keys.includes('date_to')
    ? 'dates'
    : keys.includes('date_from')
      ? 'start date'
      : undefined
  const others = keys.some((key) => !key.startsWith('date_')) ? 'filters' : undefined
  const names = [dates, others].filter((name) => name !== undefined)
  return names.length > 0 ? `Dashboard ${names.join(' and ')} not applied` : undefined
}

/** An insight without a query never gets a result. */
export const hasQuery = ({ insight }: Tile): boolean =>
  insight !== null && Object.keys(insight.query).length > 0

/** Time of the oldest result. */
export function oldestRefresh(tiles: readonly Tile[]): string | null {
  const times = tiles.flatMap(({ last_refresh }) => last_refresh ?? [])
  return times.sort()[0] ?? null
}

export const tileTitle = (tile: Tile): string =>
  tile.insight ? tile.insight.name || 'Untitled insight' : 'Text'
