import type { InsightResult } from '#server/features/results/representation.ts'
import { type JsonText, quoted } from '#server/http/json-text.ts'
import type { UserTexts } from '../dashboards/representation.ts'
import { toTileInsightText } from '../insights/representation.ts'
import type { TileRow } from './store.ts'

/** Whom the tiles name. */
export const peopleOf = (rows: readonly TileRow[]): (number | null)[] =>
  rows.flatMap((row) => [row.created_by, row.last_modified_by])

/** What the tiles' insights have answered, by the tile's id. */
export type TileResults = ReadonlyMap<number, InsightResult>

export const toTiles = (
  projectId: number,
  rows: readonly TileRow[],
  people: UserTexts,
  results: TileResults,
): JsonText[] =>
  rows.map((row, order) => toTile(projectId, row, order, people, results.get(row.id) ?? null))

export function toTile(
  projectId: number,
  row: TileRow,
  order: number,
  people: UserTexts,
  result: InsightResult | null,
): JsonText {
  const insight =
    row.insight_id === null ? null : toTileInsightText(row.insight_id, row, people, result)
  const text = row.text_id === null ? null : toText(projectId, row, people)
  return `{"id":${row.id},"layouts":${row.layouts},"color":${quoted(row.color)},"insight":${insight},"text":${text},"order":${order},"last_refresh":${quoted(result?.last_refresh ?? null)},"is_cached":${result?.is_cached ?? false},"filters_overrides":${row.filters_overrides}}` as JsonText
}

const toText = (projectId: number, row: TileRow, people: UserTexts): string =>
  `{"id":${row.text_id},"body":${quoted(row.body)},"created_by":${people(row.created_by)},"last_modified_at":"${row.last_modified_at}","last_modified_by":${people(row.last_modified_by)},"team":${projectId}}`
