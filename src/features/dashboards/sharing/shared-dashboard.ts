import type { ChartMark } from '#model/chart.ts'
import { CAN_VIEW, ONLY_COLLABORATORS_CAN_EDIT } from '#model/levels.ts'
import { toPublicQuery } from '#model/public-query.ts'
import type { Db } from '#server/db/schema.ts'
import { toRefreshPolicy } from '#server/features/results/cache/refresh.ts'
import type { QueryResult, Results } from '#server/features/results/results.ts'
import {
  type JsonText,
  largeArrayText,
  prependField,
  stored,
  toJsonText,
} from '#server/http/json-text.ts'
import type { OpenPage } from '../links/open-link.ts'
import type { Shown } from '../links/shown.ts'
import { readShownTiles } from '../links/snapshot.ts'
import type { View } from '../links/viewer-choices.ts'
import type { TileRow } from '../tiles/store.ts'
import type { SharedDashboard } from './schema.ts'

/** Writes a `SharedScene` around the results as they are stored, because large ones take long to parse and write. */
export async function readSharedDashboard(
  db: Db,
  results: Results,
  { link, shown }: OpenPage,
  { sections, overrides }: View,
): Promise<JsonText> {
  const policy = toRefreshPolicy('lazy_async')
  const options = { policy, sections, overrides }
  const open = { link, shown }
  const { tiles, tileResults, toMarks } = await readShownTiles({ db, results }, open, options)
  if (shown.tile) {
    const { tile } = shown
    const insight = toSharedInsight(tile, tileResults.get(tile.id), toMarks(tile))
    return prependField('insight', insight, toJsonText({ type: 'scene' }))
  }
  const written = tiles.map((tile, order) => {
    const insight = toSharedInsight(tile, tileResults.get(tile.id), toMarks(tile))
    return prependField('insight', insight, toJsonText(toSharedTile(tile, order)))
  })
  const fields = toJsonText(toSharedFields(shown))
  const dashboard = prependField('tiles', largeArrayText(written), fields)
  return prependField('dashboard', dashboard, toJsonText({ type: 'scene' }))
}

type SharedTile = SharedDashboard['tiles'][number]

const toSharedFields = (row: Shown): Omit<SharedDashboard, 'tiles'> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  created_at: row.created_at,
  filters: toPublicFilters(row.filters),
  variables: {},
  tags: JSON.parse(row.tags),
  effective_restriction_level: ONLY_COLLABORATORS_CAN_EDIT,
  effective_privilege_level: CAN_VIEW,
})

const toSharedTile = (tile: TileRow, order: number): Omit<SharedTile, 'insight'> => ({
  id: tile.id,
  layouts: JSON.parse(tile.layouts),
  color: tile.color,
  section: tile.section,
  text: tile.body === null ? null : { body: tile.body },
  order,
})

/** The dates are public, the properties are not. */
function toPublicFilters(text: string) {
  const { date_from, date_to } = JSON.parse(text)
  return {
    ...(date_from !== undefined && { date_from }),
    ...(date_to !== undefined && { date_to }),
  }
}

function toSharedInsight(
  tile: TileRow,
  result: QueryResult | undefined,
  marks: ChartMark[],
): JsonText {
  if (tile.insight_id === null) return stored('null')
  const insight: Omit<NonNullable<SharedTile['insight']>, 'result'> = {
    short_id: tile.short_id as string,
    name: tile.name as string,
    description: tile.description as string,
    query: toPublicQuery(JSON.parse(tile.query as string), result?.row?.results ?? ''),
    last_refresh: result?.row?.computed_at ?? null,
    is_cached: typeof result?.row?.results === 'string',
    columns: JSON.parse(result?.row?.details ?? '{}').columns ?? null,
    is_computing: result?.isRunning ?? false,
    marks,
  }
  return prependField('result', stored(result?.row?.results ?? 'null'), toJsonText(insight))
}
