import type { InsightResult } from '#server/features/results/representation.ts'
import { type JsonText, quoted, toJsonText } from '#server/http/json-text.ts'
import type { UserTexts } from '../dashboards/representation.ts'
import type { Member } from '../dashboards/rights.ts'
import {
  effectiveInsightPrivilege,
  effectiveInsightRestriction,
  type InsightPlacement,
  toDashboardIds,
} from './placements.ts'
import type { InsightRow } from './store.ts'

/** What is shown of an insight wherever it is shown. A tile's row has nulls here when it shows a text. */
type ShownColumns = {
  readonly [Column in (typeof SHOWN)[number]]: InsightRow[Column] | null
}
const SHOWN = [
  'short_id',
  'name',
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

/** In a tile. `result` is null when nothing was computed yet. */
export const toTileInsightText = (
  id: number,
  row: ShownColumns,
  people: UserTexts,
  result: InsightResult | null,
): JsonText => `{${shownFields(id, row, people, result)}}` as JsonText

/** By itself, as one person sees it. */
export const toInsightText = (
  person: Member,
  row: InsightRow,
  places: readonly InsightPlacement[],
  people: UserTexts,
  result: InsightResult | null,
): JsonText =>
  `{${shownFields(row.id, row, people, result)},"derived_name":${quoted(row.derived_name)},"filters":{},"order":null,${placeFields(person, places)},${resultFields(result)},"updated_at":"${row.last_modified_at}","favorited":${row.favorited === 1},"saved":${row.saved === 1}}` as JsonText

const shownFields = (
  id: number,
  row: ShownColumns,
  people: UserTexts,
  result: InsightResult | null,
): string =>
  `"id":${id},"short_id":"${row.short_id}","name":${quoted(row.name)},"description":${quoted(row.description)},"query":${row.query},"tags":${row.tags},"is_sample":${row.is_sample === 1},"deleted":${row.deleted === 1},"created_at":"${row.created_at}","created_by":${people(row.created_by)},"last_modified_at":"${row.last_modified_at}","last_modified_by":${people(row.last_modified_by)},"last_refresh":${quoted(result?.last_refresh ?? null)},"is_cached":${result?.is_cached ?? false},"result":${result?.result ?? null},"columns":${columnsOf(result)},"query_status":${JSON.stringify(result?.query_status ?? null)}`

/** Most answers have no details, and twelve tiles would parse them twelve times. */
const columnsOf = (result: InsightResult | null): string =>
  !result || result.details === '{}'
    ? 'null'
    : JSON.stringify(JSON.parse(result.details).columns ?? null)

const placeFields = (person: Member, places: readonly InsightPlacement[]): string => {
  const tiles = places
    .filter((place) => !place.deleted)
    .map((place) => ({ id: place.tile_id, dashboard_id: place.dashboard_id, deleted: false }))
  return `"dashboards":${toJsonText(toDashboardIds(places))},"dashboard_tiles":${toJsonText(tiles)},"effective_restriction_level":${effectiveInsightRestriction(places)},"effective_privilege_level":${effectiveInsightPrivilege(person, places)}`
}

function resultFields(result: InsightResult | null): string {
  const { hasMore = null, types = null } = JSON.parse(result?.details ?? '{}')
  return toJsonText({
    cache_target_age: result?.cache_target_age ?? null,
    next_allowed_client_refresh: result?.next_allowed_client_refresh ?? null,
    hasMore,
    types,
    timezone: result?.timezone ?? null,
  }).slice(1, -1)
}
