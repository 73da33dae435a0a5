import { Type } from 'typebox'
import { userField } from '#server/features/accounts/users/user-texts.ts'
import type { InsightResult } from '#server/features/results/representation.ts'
import { StatusOrNull } from '#server/features/results/schema.ts'
import { quoted, toJsonText } from '#server/http/json-text.ts'
import { AnyObject, IdInput, Time, TimeOrNull } from '#server/http/schemas.ts'
import { defineFields, defineResource, trashField } from '#server/resource/resource.ts'
import { tagsField } from '#server/resource/tags.ts'
import { PrivilegeLevel, RestrictionLevel } from '../level-schemas.ts'
import type { MemberLevel } from '../rights.ts'
import { toLegacyFilters } from './legacy-filters.ts'
import {
  effectiveInsightPrivilege,
  effectiveInsightRestriction,
  type InsightPlacement,
  toDashboardIds,
} from './rights.ts'

interface ResultContext {
  /** null: not computed yet. */
  readonly result: InsightResult | null
}

interface InsightContext {
  readonly member: MemberLevel
  readonly placements: readonly InsightPlacement[]
}

export const MAX_INSIGHT_NAME = 400

const Name = Type.String({ maxLength: MAX_INSIGHT_NAME })

const Folder = Type.Union([Type.String({ maxLength: 400 }), Type.Null()], {
  description: 'A path of folders that `search` finds, such as `Growth/Signups`. null: none.',
})

/** Reads a text of the result. */
const resultText =
  (name: 'last_refresh' | 'cache_target_age' | 'next_allowed_client_refresh' | 'timezone') =>
  (_row: unknown, { result }: ResultContext) =>
    quoted(result?.[name] ?? null)

/** Reads a detail of the result. Most have none; a dashboard with twelve tiles would parse them twelve times. */
const detail =
  (name: string) =>
  (_row: unknown, { result }: ResultContext) =>
    !result || result.details === '{}' ? null : toJsonText(JSON.parse(result.details)[name] ?? null)

/** The fields that a tile shows of its insight. */
const tileFields = defineFields({
  id: { schema: Type.Integer() },
  short_id: { schema: Type.String() },
  name: { schema: Type.String(), write: Name, log: true },
  derived_name: {
    schema: Type.Union([Type.String(), Type.Null()], {
      description: 'A name that clients derive from the query, shown if `name` is empty.',
    }),
    write: Type.Union([Name, Type.Null()]),
    log: true,
  },
  description: { schema: Type.String(), write: Type.String(), log: true },
  query: {
    schema: AnyObject,
    write: { ...AnyObject, description: 'With a `kind`, or empty.' },
    log: true,
  },
  tags: tagsField,
  is_sample: { schema: Type.Boolean({ description: 'Whether it was created by a template.' }) },
  deleted: trashField,
  created_at: { schema: Time },
  created_by: userField('created_by'),
  last_modified_at: { schema: Time },
  last_modified_by: userField('last_modified_by'),
  last_refresh: { schema: TimeOrNull, read: resultText('last_refresh') },
  is_cached: {
    schema: Type.Boolean(),
    read: (_row: unknown, { result }: ResultContext) => result?.is_cached ?? false,
  },
  result: {
    schema: Type.Unknown({ description: 'null: not computed yet.' }),
    read: (_row: unknown, { result }: ResultContext) => result?.result ?? null,
  },
  columns: {
    schema: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'The column names of an SQL result.',
    }),
    read: detail('columns'),
  },
  query_status: {
    schema: StatusOrNull,
    read: (_row: unknown, { result }: ResultContext) => toJsonText(result?.query_status ?? null),
  },
})

const fields = defineFields({
  ...tileFields,
  filters: {
    schema: Type.Object(
      { insight: Type.Optional(Type.String()) },
      {
        title: 'LegacyFilters',
        additionalProperties: false,
        description: 'For older apps: the kind of `query`, such as `TRENDS`, or empty.',
      },
    ),
    read: (row: { query: string }) => toJsonText(toLegacyFilters(row.query)),
  },
  order: { schema: Type.Union([Type.Integer(), Type.Null()]), read: () => null },
  dashboards: {
    schema: Type.Array(Type.Integer(), { description: 'The ids of the dashboards that show it.' }),
    read: (_row: unknown, { placements }: InsightContext) => toJsonText(toDashboardIds(placements)),
    write: Type.Array(IdInput(), {
      maxItems: 1000,
      description:
        'The ids of all dashboards to show it: it is added to these and taken off the others.',
    }),
  },
  dashboard_tiles: {
    schema: Type.Array(
      Type.Object(
        { id: Type.Integer(), dashboard_id: Type.Integer(), deleted: Type.Boolean() },
        { title: 'DashboardTile', additionalProperties: false },
      ),
    ),
    read: (_row: unknown, { placements }: InsightContext) => {
      const shown = placements.filter((placement) => !placement.deleted)
      const toTile = ({ tile_id: id, dashboard_id }: InsightPlacement) => ({ id, dashboard_id })
      return toJsonText(shown.map((placement) => ({ ...toTile(placement), deleted: false })))
    },
  },
  effective_restriction_level: {
    schema: RestrictionLevel,
    read: (_row: unknown, { placements }: InsightContext) =>
      effectiveInsightRestriction(placements),
  },
  effective_privilege_level: {
    schema: PrivilegeLevel,
    read: (_row: unknown, { member, placements }: InsightContext) =>
      effectiveInsightPrivilege(member, placements),
  },
  cache_target_age: { schema: TimeOrNull, read: resultText('cache_target_age') },
  next_allowed_client_refresh: {
    schema: TimeOrNull,
    read: resultText('next_allowed_client_refresh'),
  },
  hasMore: { schema: Type.Union([Type.Boolean(), Type.Null()]), read: detail('hasMore') },
  types: {
    schema: Type.Union([Type.Array(Type.Unknown()), Type.Null()]),
    read: detail('types'),
  },
  timezone: {
    schema: Type.Union([Type.String(), Type.Null()], {
      description: 'The time zone of the result.',
    }),
    read: resultText('timezone'),
  },
  updated_at: { schema: Time, column: 'last_modified_at' },
  favorited: { schema: Type.Boolean(), write: Type.Boolean(), log: true },
  _create_in_folder: {
    schema: Folder,
    column: 'folder',
    write: Folder,
    normalize: (folder: string | null) => folder || null,
    log: 'folder',
  },
  saved: {
    schema: Type.Boolean(),
    write: Type.Boolean({ description: 'Default: true.' }),
    default: true,
    log: true,
  },
})

export const tileInsight = defineResource('insights', {
  ...tileFields,
  id: { schema: Type.Integer(), read: (row: { insight_id: number | null }) => row.insight_id },
})
export const insightResource = defineResource('insights', fields)
