import type { InsightResult } from '#server/features/results/representation.ts'
import {
  type JsonFields,
  type JsonText,
  jsonWriter,
  plain,
  quoted,
  stored,
  toJsonText,
} from '#server/http/json-text.ts'
import type { MemberLevel } from '../dashboards/rights.ts'
import type { UserTexts } from '../user-texts.ts'
import { toLegacyFilters } from './legacy-filters.ts'
import { effectiveInsightPrivilege, effectiveInsightRestriction, toDashboardIds } from './rights.ts'
import type { InsightPlacement, InsightRow } from './store.ts'

/** The columns that both an insight and a tile show. In the row of a text tile they are null, but it is not written. */
type SharedColumns = {
  readonly [Column in (typeof SHARED)[number]]: InsightRow[Column] | null
}
const SHARED = [
  'short_id',
  'name',
  'derived_name',
  'description',
  'query',
  'tags',
  'is_sample',
  'deleted',
  'created_at',
  'created_by',
  'last_modified_at',
  'last_modified_by',
] as const

interface SharedContext {
  readonly users: UserTexts
  /** null: not computed yet. */
  readonly result: InsightResult | null
}

interface InsightContext extends SharedContext {
  readonly member: MemberLevel
  readonly placements: readonly InsightPlacement[]
}

const shared: JsonFields<SharedColumns, SharedContext> = {
  short_id: (row) => plain(row.short_id as string),
  name: (row) => quoted(row.name),
  derived_name: (row) => quoted(row.derived_name),
  description: (row) => quoted(row.description),
  query: (row) => stored(row.query as string),
  tags: (row) => stored(row.tags as string),
  is_sample: (row) => row.is_sample === 1,
  deleted: (row) => row.deleted === 1,
  created_at: (row) => plain(row.created_at as string),
  created_by: (row, { users }) => users(row.created_by),
  last_modified_at: (row) => plain(row.last_modified_at as string),
  last_modified_by: (row, { users }) => users(row.last_modified_by),
  last_refresh: (_row, { result }) => quoted(result?.last_refresh ?? null),
  is_cached: (_row, { result }) => result?.is_cached ?? false,
  result: (_row, { result }) => result?.result ?? null,
  columns: (_row, { result }) => detailOf(result, 'columns'),
  query_status: (_row, { result }) => toJsonText(result?.query_status ?? null),
}

/** Most results have no details; a dashboard with twelve tiles would parse them twelve times. */
const detailOf = (result: InsightResult | null, name: string): JsonText | null =>
  !result || result.details === '{}' ? null : toJsonText(JSON.parse(result.details)[name] ?? null)

export const toTileInsightText = jsonWriter<
  SharedColumns & { readonly insight_id: number | null },
  SharedContext
>({
  id: (row) => row.insight_id,
  ...shared,
})

export const toInsightText = jsonWriter<InsightRow, InsightContext>({
  id: (row) => row.id,
  ...shared,
  filters: ({ query }) => toJsonText(toLegacyFilters(query)),
  order: () => null,
  dashboards: (_row, { placements }) => toJsonText(toDashboardIds(placements)),
  dashboard_tiles: (_row, { placements }) => toJsonText(toDashboardTiles(placements)),
  effective_restriction_level: (_row, { placements }) => effectiveInsightRestriction(placements),
  effective_privilege_level: (_row, { member, placements }) =>
    effectiveInsightPrivilege(member, placements),
  cache_target_age: (_row, { result }) => quoted(result?.cache_target_age ?? null),
  next_allowed_client_refresh: (_row, { result }) =>
    quoted(result?.next_allowed_client_refresh ?? null),
  hasMore: (_row, { result }) => detailOf(result, 'hasMore'),
  types: (_row, { result }) => detailOf(result, 'types'),
  timezone: (_row, { result }) => quoted(result?.timezone ?? null),
  updated_at: (row) => plain(row.last_modified_at),
  favorited: (row) => row.favorited === 1,
  _create_in_folder: (row) => quoted(row.folder),
  saved: (row) => row.saved === 1,
})

const toDashboardTiles = (placements: readonly InsightPlacement[]) =>
  placements
    .filter((placement) => !placement.deleted)
    .map(({ tile_id, dashboard_id }) => ({ id: tile_id, dashboard_id, deleted: false }))
