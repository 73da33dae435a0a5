import type { Chart } from '#model/chart.ts'
import { type Position, packTiles, type Section } from '#model/grid.ts'
import { toInsightTitle } from '#model/insight-title.ts'
import { SHOWN } from '#model/names/row-names.ts'
import { notAppliedNote } from '#model/not-applied-note.ts'
import { toRows } from '#model/query-kinds/index.ts'
import { groupBySection, isFolded, type ShownSections } from '#model/sections.ts'
import type { Db } from '#server/db/schema.ts'
import { toRefreshPolicy } from '#server/features/results/cache/refresh.ts'
import { NOT_LOCKABLE } from '#server/features/results/check/lock.ts'
import { OUTSIDE_DATES } from '#server/features/results/check/narrow-dates.ts'
import { toResultJson, toResultValue } from '#server/features/results/representation.ts'
import type { QueryResult, Results } from '#server/features/results/results.ts'
import type { StoredResult } from '#server/pictures/contract.ts'
import { mapInTurns } from '#server/turns.ts'
import type { OpenPage } from '../links/open-link.ts'
import { readShownTiles } from '../links/snapshot.ts'
import type { View } from '../links/viewer-choices.ts'
import type { TileRow } from '../tiles/store.ts'
import { chartSizes } from './chart-sizes.ts'
import type { RenderedSvg, SvgCache, SvgRequest } from './svg-cache.ts'

/** A tile of the page: a text or the title of a section has `text`, a chart the rest. */
export interface PageTile {
  readonly id: number
  /** In its section. */
  readonly position: Position
  /** Set for the title of a section: whether this viewer sees its tiles. */
  readonly section: Section | null
  /** Whether its section hides it, so that its result is not kept fresh. */
  readonly isHidden: boolean
  readonly color: string | null
  readonly text: string | null
  readonly title: string
  readonly description: string
  /** null: only beside the data. */
  readonly showsDescription: boolean | null
  readonly computedAt: string | undefined
  /** Whether the result or chart is not ready yet. */
  readonly isPending: boolean
  /** One for wide windows and one for phones, or one for both. */
  readonly svgs: readonly string[]
  /** Shown instead of a chart. */
  readonly message: string | undefined
  readonly rows: readonly (readonly unknown[])[]
  /** Names the filters of the dashboard that do not affect the result. */
  readonly note: string | undefined
}

export interface PageDeps {
  readonly db: Db
  readonly results: Results
  readonly svgs: SvgCache
}

const COMPUTING = 'Computing the result…'
const DRAWING = 'Drawing the chart…'
const NOT_DRAWN = "The chart can't be drawn. Its data is below."
const NO_RESULT = 'No result to show.'

/** Replaces the message of an error, which could name the events or properties of the query. */
export const toPublicMessage = (problem: Error | undefined): string =>
  problem === OUTSIDE_DATES || problem === NOT_LOCKABLE ? problem.message : NO_RESULT

/** Returns the tiles with their cached results, and starts to compute the stale ones. */
export async function getPageTiles(
  { db, results, svgs }: PageDeps,
  { link, shown }: OpenPage,
  { sections, overrides }: View,
): Promise<PageTile[]> {
  const policy = toRefreshPolicy('lazy_async')
  const options = { policy, sections, overrides }
  const open = { link, shown }
  const { tiles: rows, tileResults, toMarks } = await readShownTiles({ db, results }, open, options)
  const placed = toPlacedRows(rows, sections)
  const tiles = await mapInTurns(placed, ({ row, ...place }) =>
    toDrawableTile(row, place, tileResults.get(row.id), toMarks),
  )
  const requests = tiles.map(toSvgRequests)
  const rendered = await svgs.find(requests.flat())
  return tiles.map((tile, index) =>
    toPageTile(tile, rendered.splice(0, requests[index]?.length ?? 0)),
  )
}

type Place = Pick<PageTile, 'position' | 'section' | 'isHidden'>

/** Places the tiles of each section from its top. */
function toPlacedRows(
  rows: readonly TileRow[],
  sections: ShownSections,
): (Place & { readonly row: TileRow })[] {
  const packed = packTiles(
    rows.map((row) => ({ row, section: row.section, layouts: JSON.parse(row.layouts) })),
  )
  return groupBySection(packed, ({ tile }) => tile.section !== null).flatMap((group) => {
    const { title, items } = group
    const top = title ? title.y + title.h : 0
    const isHidden =
      title !== undefined && sections !== 'open' && isFolded(title.tile.row, sections)
    const placed = items.map(({ tile: { row }, x, y, w, h }) => {
      return { row, position: { x, y: y - top, w, h }, section: null, isHidden }
    })
    if (!title) return placed
    const { x, y, w, h, tile } = title
    const section = isHidden ? 'folded' : 'open'
    return [{ row: tile.row, position: { x, y, w, h }, section, isHidden: false }, ...placed]
  })
}

interface DrawableTile extends Omit<PageTile, 'svgs'> {
  readonly chart: Chart | undefined
  /** Names the result that the chart shows. */
  readonly version: string
}

function toDrawableTile(
  row: TileRow,
  place: Place,
  result: QueryResult | undefined,
  toMarks: (row: TileRow) => Chart['marks'],
): DrawableTile {
  const title = toInsightTitle(row)
  const isPending = result?.isRunning ?? false
  const tile = {
    id: row.id,
    ...place,
    color: row.color,
    text: row.body,
    title,
    description: row.description ?? '',
    showsDescription: row.show_description === null ? null : row.show_description === 1,
    computedAt: result?.row?.computed_at,
    isPending,
    message: undefined,
    note: notAppliedNote(result?.notApplied ?? []),
    chart: undefined,
    rows: [],
    version: '',
  }
  if (row.body !== null) return tile
  const value = result && !result.problem ? toResultValue(result) : null
  if (!result || value === null)
    return { ...tile, message: isPending ? COMPUTING : toPublicMessage(result?.problem) }
  const marks = toMarks(row)
  const query = JSON.parse(row.query as string) as object
  const drawn: StoredResult = { storedResult: toResultJson(result) }
  return {
    ...tile,
    chart: { title, query, result: drawn, marks },
    rows: toRows(query, value, SHOWN),
    version: `${result.key} ${result.row?.computed_at}`,
  }
}

const toSvgRequests = ({ chart, version, position }: DrawableTile): SvgRequest[] =>
  chart ? chartSizes(position).map((size) => ({ ...size, chart, version })) : []

function toPageTile(
  { chart: _, version: __, ...tile }: DrawableTile,
  rendered: readonly (RenderedSvg | undefined)[],
): PageTile {
  const svgs = rendered.flatMap((each) => (typeof each === 'object' ? [each.svg] : []))
  if (svgs.length === rendered.length) return { ...tile, svgs }
  const isFailed = rendered.includes('failed')
  return {
    ...tile,
    isPending: tile.isPending || !isFailed,
    svgs: [],
    message: isFailed ? NOT_DRAWN : DRAWING,
  }
}
