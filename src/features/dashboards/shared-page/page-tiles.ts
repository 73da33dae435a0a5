import { type Position, packTiles } from '#model/grid.ts'
import { toRows } from '#model/query-kinds/index.ts'
import type { Db } from '#server/db/schema.ts'
import { toRefreshPolicy } from '#server/features/results/refresh.ts'
import { toResultValue } from '#server/features/results/representation.ts'
import type { QueryResult, Results } from '#server/features/results/results.ts'
import { findTileResults } from '../dashboards/tile-results.ts'
import type { SharedDashboardRow } from '../sharing/shared-dashboard.ts'
import { listTiles, type TileRow } from '../tiles/store.ts'
import { chartSizes } from './chart-sizes.ts'
import type { SvgCache, SvgRequest } from './svg-cache.ts'

/** What a tile of the page shows; a tile of text has `text`, a chart the rest. */
export interface PageTile {
  readonly id: number
  readonly position: Position
  readonly color: string | null
  readonly text: string | null
  readonly title: string
  readonly description: string
  readonly computedAt: string | undefined
  /** It is not all there yet: a later look shows more. */
  readonly isPending: boolean
  /** For a wide window and for a narrow one, or one for both. */
  readonly svgs: readonly string[]
  /** Instead of drawings. */
  readonly message: string | undefined
  readonly rows: readonly (readonly unknown[])[]
}

/** What is known now. What does not hold any more is being computed when this returns. */
export async function getPageTiles(
  db: Db,
  results: Results,
  drawings: SvgCache,
  dashboard: SharedDashboardRow,
): Promise<PageTile[]> {
  const tiles = await listTiles(db, dashboard.project_id, dashboard.id)
  const answers = await findTileResults(results, dashboard, tiles, toRefreshPolicy('lazy_async'))
  const placed = packTiles(tiles.map((row) => ({ row, layouts: JSON.parse(row.layouts) }))).map(
    ({ tile, x, y, w, h }) => ({
      position: { x, y, w, h },
      ...toShown(tile.row, answers.get(tile.row.id)),
    }),
  )
  const wanted = placed.map(({ position, chart, version }) =>
    chart ? chartSizes(position).map((size): SvgRequest => ({ ...size, chart, version })) : [],
  )
  const found = await drawings.find(wanted.flat())
  return placed.map(({ chart, version: _, ...tile }, at) => {
    const drawn = found.splice(0, wanted[at]?.length)
    const svgs = drawn.flatMap((each) => (typeof each === 'object' ? [each.svg] : []))
    const isDrawn = svgs.length === drawn.length
    const isFailed = drawn.includes('failed')
    return {
      ...tile,
      isPending: tile.isPending || (!isDrawn && !isFailed),
      svgs: isDrawn ? svgs : [],
      message: tile.message ?? (isDrawn ? undefined : isFailed ? NOT_DRAWN : BEING_DRAWN),
      rows: chart ? toRows(chart.query, chart.result) : [],
    }
  })
}

const COMPUTING = 'This is being computed. It will be here in a moment.'
const BEING_DRAWN = 'This is being drawn. It will be here in a moment.'
const NOT_DRAWN = 'This could not be drawn. Its figures are below.'
/** In no other words: those of a refusal may name what the question is about. */
export const NO_RESULT = 'There is no answer to show here.'

function toShown(row: TileRow, answer: QueryResult | undefined) {
  const shared = {
    id: row.id,
    color: row.color,
    text: row.body,
    description: row.description ?? '',
  }
  const title = row.name || 'Untitled'
  const isPending = answer?.isRunning ?? false
  const result = answer && !answer.problem ? toResultValue(answer) : null
  const common = { ...shared, title, isPending, computedAt: answer?.row?.computed_at }
  if (row.body !== null) return { ...common, chart: undefined, version: '', message: undefined }
  if (!answer || result === null) {
    const message = isPending ? COMPUTING : NO_RESULT
    return { ...common, chart: undefined, version: '', message }
  }
  const chart = { title, query: JSON.parse(row.query as string) as object, result }
  const version = `${answer.key} ${answer.row?.computed_at}`
  return { ...common, chart, version, message: undefined }
}
