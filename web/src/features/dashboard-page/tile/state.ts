import { toInsightTitle } from '#model/insight-title.ts'
import type { Tile } from '#server/features/dashboards/tiles/schema.ts'

export const isComputing = ({ insight }: Tile): boolean => insight?.query_status?.complete === false

/** The server's error message of the last computation. */
export const tileError = ({ insight }: Tile): string | undefined =>
  insight?.query_status?.error
    ? (insight.query_status.error_message ?? 'The result could not be computed.')
    : undefined

/** An insight without a query never gets a result. */
export const hasQuery = ({ insight }: Tile): boolean =>
  insight !== null && Object.keys(insight.query).length > 0

export function oldestRefresh(tiles: readonly Tile[]): string | null {
  const times = tiles.flatMap(({ last_refresh }) => last_refresh ?? [])
  return times.sort()[0] ?? null
}

/** The name of the insight as its editor and the list show it, or the title of a section. */
export const tileTitle = ({ insight, section, text }: Tile): string =>
  insight ? toInsightTitle(insight) : (section && text?.body) || 'Text'

/** The text that a new tile starts with. */
export const NEW_TEXT = '## Heading\n\nExplain these numbers.'

/** The title that a new section starts with. */
export const NEW_SECTION = 'New section'
