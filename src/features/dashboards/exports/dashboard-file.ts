import type { ChartMark } from '#model/chart.ts'
import { toCsvRow } from '#model/csv.ts'
import { toInsightTitle } from '#model/insight-title.ts'
import type { Requester } from '#server/access/requester.ts'
import type { Db } from '#server/db/schema.ts'
import { toRefreshPolicy } from '#server/features/results/cache/refresh.ts'
import { toResultJson } from '#server/features/results/representation.ts'
import type { QueryResult } from '#server/features/results/results.ts'
import { largeArrayText, prependField, stored, toJsonText } from '#server/http/json-text.ts'
import type { DashboardPicture, StoredResult, TilePicture } from '#server/pictures/contract.ts'
import { giveWay } from '#server/turns.ts'
import {
  type DashboardFilters,
  findTileResults,
  type RequestOverrides,
} from '../dashboards/tile-results.ts'
import { listTiles, type TileRow } from '../tiles/store.ts'
import type { ExportDeps } from './insight-file.ts'
import type { PictureQuery } from './schema.ts'
import type { ExportedFile } from './send-file.ts'

export const DASHBOARD_FORMATS = ['json', 'csv', 'png', 'pdf'] as const
export type DashboardFormat = (typeof DASHBOARD_FORMATS)[number]

const DEFAULT_WIDTH = 1200

interface Titled extends DashboardFilters {
  readonly name: string
  readonly description: string
}

/** A dashboard and its tiles. */
export interface ExportedDashboard extends Titled {
  readonly tiles: readonly TileRow[]
  /** Whether its only tile has the title of the whole. */
  readonly isOneTile: boolean
}

export const listExportedTiles = async (
  db: Db,
  { id, project_id, filters, variables, name, description }: Titled & { readonly id: number },
): Promise<ExportedDashboard> => ({
  ...{ project_id, filters, variables, name, description },
  tiles: await listTiles(db, project_id, id),
  isOneTile: false,
})

interface ExportOptions {
  readonly format: DashboardFormat
  readonly picture: PictureQuery
  /** Cancels the export. */
  readonly signal?: AbortSignal
  /** None for a public link. */
  readonly requester?: Requester
  /** The text shown in a tile whose query failed. */
  readonly toMessage?: (problem: Error) => string
  readonly toMarks?: (tile: TileRow) => ChartMark[]
  /** Results of another moment, shown instead of the current ones. */
  readonly frozen?:
    | { readonly at: string; readonly tileResults: ReadonlyMap<number, QueryResult> }
    | undefined
  /** Choices of a viewer of a public link. */
  readonly overrides?: RequestOverrides | undefined
  /** For visitors of public links. */
  readonly hidesPersons?: boolean
}

interface StoredTile extends TilePicture {
  readonly result?: StoredResult
}

interface StoredPicture extends DashboardPicture {
  readonly tiles: readonly StoredTile[]
}

const toText = ({ message }: Error): string => message

/** Waits for fresh results. The file names no users, so it can be sent to anyone with the link. */
export async function exportDashboard(
  { results, pictures }: Pick<ExportDeps, 'results' | 'pictures'>,
  dashboard: ExportedDashboard,
  {
    format,
    picture: options,
    requester,
    signal,
    toMessage = toText,
    toMarks = () => [],
    overrides,
    frozen,
    hidesPersons,
  }: ExportOptions,
): Promise<ExportedFile> {
  const { tiles, isOneTile } = dashboard
  const policy = toRefreshPolicy('blocking', requester)
  const isPicture = format === 'png' || format === 'pdf'
  const find = () =>
    findTileResults(results, dashboard, tiles, {
      policy,
      sections: isPicture ? {} : 'open', // data is complete; a picture shows folded sections folded
      overrides,
      hidesPersons,
    })
  const tileResults = frozen?.tileResults ?? (await find())
  signal?.throwIfAborted()
  const name = dashboard.name || 'Dashboard'
  const picture: StoredPicture = {
    title: name,
    description: dashboard.description,
    tiles: tiles.map((tile) => ({
      ...toTilePicture(tile, tileResults.get(tile.id), toMessage),
      ...(isOneTile && { title: '' }),
      ...(format !== 'json' && { marks: toMarks(tile) }),
    })),
    takenAt: frozen?.at ?? new Date().toISOString(),
  }
  const toContent = async () => {
    if (format === 'json') return toPictureJson(picture)
    if (format === 'csv') return toCsvSections(picture)
    if (format === 'pdf') return pictures.dashboardPdf(picture, signal)
    const { scheme = 'light', width = DEFAULT_WIDTH, height } = options
    return pictures.dashboardPng(picture, { scheme, width, height }, signal)
  }
  return { format, name, content: await toContent() }
}

function toTilePicture(
  tile: TileRow,
  result: QueryResult | undefined,
  toMessage: (problem: Error) => string,
): StoredTile {
  const { color } = tile
  const layouts = JSON.parse(tile.layouts)
  if (tile.body !== null) {
    const section = tile.section ?? undefined
    return { color, layouts, title: '', text: tile.body, ...(section && { section }) }
  }
  return {
    color,
    layouts,
    title: toInsightTitle(tile),
    query: JSON.parse(tile.query as string),
    ...(result && { result: { storedResult: toResultJson(result) } }),
    ...(result?.problem && { problem: toMessage(result.problem) }),
  }
}

/** Writes the results as they are stored. */
function toPictureJson({ tiles, ...picture }: StoredPicture): string {
  const written = tiles.map(({ result, ...tile }) => {
    const json = toJsonText(tile)
    return result ? prependField('result', stored(result.storedResult), json) : json
  })
  return prependField('tiles', largeArrayText(written), toJsonText(picture))
}

/** Writes one table per tile, below the tile's name if it has one. */
async function toCsvSections({ tiles }: StoredPicture): Promise<string> {
  const { toCsv } = await import('#server/pictures/csv.ts')
  const sections: string[] = []
  for (const { title, query, result } of tiles) {
    await giveWay()
    const value = result && JSON.parse(result.storedResult)
    if (!query || !value) continue
    const heading = title === '' ? '' : toCsvRow([title])
    sections.push(heading + (await toCsv(query, value)))
  }
  return sections.join('\r\n')
}
