import type { Db } from '#server/db/schema.ts'
import { toRefreshPolicy } from '#server/features/results/refresh.ts'
import { toResultValue } from '#server/features/results/representation.ts'
import type { QueryResult, Results } from '#server/features/results/results.ts'
import type { DashboardPicture, Pictures, TilePicture } from '#server/pictures/contract.ts'
import { type DashboardFilters, findTileResults } from '../dashboards/tile-results.ts'
import { listTiles, type TileRow } from '../tiles/store.ts'
import type { PictureQuery } from './schema.ts'
import type { ExportedFile } from './send-file.ts'

export const DASHBOARD_FORMATS = ['json', 'csv', 'png', 'pdf'] as const
export type DashboardFormat = (typeof DASHBOARD_FORMATS)[number]

const WIDTH = 1200

export interface NamedDashboard extends DashboardFilters {
  readonly id: number
  readonly name: string
  readonly description: string
}

/** Waits for answers that are up to date. Holds nothing of people, so that it may be sent to anybody with the link. */
export async function exportDashboard(
  db: Db,
  results: Results,
  pictures: Pictures,
  dashboard: NamedDashboard,
  format: DashboardFormat,
  { scheme = 'light', width = WIDTH, height }: PictureQuery,
  toWords: (problem: Error) => string = ({ message }) => message,
): Promise<ExportedFile> {
  const tiles = await listTiles(db, dashboard.project_id, dashboard.id)
  const refresh = toRefreshPolicy('blocking')
  const answers = await findTileResults(results, dashboard, tiles, refresh)
  const name = dashboard.name || 'Dashboard'
  const picture: DashboardPicture = {
    title: name,
    description: dashboard.description,
    tiles: tiles.map((tile) => toTilePicture(tile, answers.get(tile.id), toWords)),
    takenAt: new Date().toISOString(),
  }
  const draw = async () => {
    if (format === 'json') return JSON.stringify(picture)
    if (format === 'csv') return toSections(picture)
    if (format === 'pdf') return pictures.dashboardPdf(picture)
    return pictures.dashboardPng(picture, { scheme, width, height })
  }
  return { format, name, content: await draw() }
}

function toTilePicture(
  tile: TileRow,
  answer: QueryResult | undefined,
  toWords: (problem: Error) => string,
): TilePicture {
  const shared = { color: tile.color, layouts: JSON.parse(tile.layouts) }
  if (tile.body !== null) return { ...shared, title: '', text: tile.body }
  return {
    ...shared,
    title: tile.name ?? '',
    query: JSON.parse(tile.query as string),
    ...(answer && { result: toResultValue(answer) }),
    ...(answer?.problem && { problem: toWords(answer.problem) }),
  }
}

/** A table for each tile, below its name. */
async function toSections({ tiles }: DashboardPicture): Promise<string> {
  const { toCsv } = await import('#server/pictures/csv.ts')
  return tiles
    .filter(({ query, result }) => query && result)
    .map(({ title, query, result }) => {
      const [heading] = toCsv(NAMES, { columns: [title], types: [], results: [] }).split('\r\n')
      return `${heading}\r\n${toCsv(query as object, result)}`
    })
    .join('\r\n')
}

/** A table of one column, so that a tile's name is written like any other cell. */
const NAMES = { kind: 'HogQLQuery', query: '' }
