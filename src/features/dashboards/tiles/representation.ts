import type { UserTexts } from '#server/features/accounts/users/user-texts.ts'
import type { InsightResult } from '#server/features/results/representation.ts'
import { jsonWriter, plain, quoted, stored, toJsonText } from '#server/http/json-text.ts'
import { tileInsight } from '../insight-rows/fields.ts'
import type { TileRow } from './store.ts'

/** Converts a flag that may be unset. */
const toBoolean = (value: number | null): boolean | null => (value === null ? null : value === 1)

interface TextContext {
  readonly projectId: number
  readonly users: UserTexts
}

interface TileContext extends TextContext {
  /** The position among the dashboard's tiles, from 0. */
  readonly order: number
  readonly result: InsightResult | null
}

export const listTileUserIds = (rows: readonly TileRow[]): (number | null)[] =>
  rows.flatMap((row) => [row.created_by, row.last_modified_by])

const toTextText = jsonWriter<TileRow, TextContext>({
  id: (row) => row.text_id,
  body: (row) => quoted(row.body),
  created_by: (row, { users }) => users(row.created_by),
  last_modified_at: (row) => plain(row.last_modified_at as string),
  last_modified_by: (row, { users }) => users(row.last_modified_by),
  team: (_row, { projectId }) => projectId,
})

/** The row of a tile that shows an insight. For a text, the columns of insights are null. */
type InsightTileRow = Parameters<typeof tileInsight.toText>[0]

export const toTileText = jsonWriter<TileRow, TileContext>({
  id: (row) => row.id,
  layouts: (row) => stored(row.layouts),
  color: (row) => quoted(row.color),
  show_description: (row) => toBoolean(row.show_description),
  section: (row) => quoted(row.section),
  insight: (row, context) =>
    row.insight_id === null ? null : tileInsight.toText(row as InsightTileRow, context),
  text: (row, context) => (row.text_id === null ? null : toTextText(row, context)),
  order: (_row, { order }) => order,
  last_refresh: (_row, { result }) => quoted(result?.last_refresh ?? null),
  is_cached: (_row, { result }) => result?.is_cached ?? false,
  filters_overrides: (row) => stored(row.filters_overrides),
  filters_not_applied: (_row, { result }) => toJsonText(result?.filters_not_applied ?? []),
})
