import { type Static, Type } from 'typebox'
import { RefreshParameter } from '#server/features/results/cache/refresh.ts'
import { Format, PageQuery } from '#server/http/page.ts'
import { idOrText, ProjectId } from '#server/http/params.ts'
import { AnyObject, Time } from '#server/http/schemas.ts'
import { PrivilegeLevel, RestrictionLevel } from '../dashboards/schema.ts'
import { IdInput, MAX_INSIGHT_NAME, TileInsight } from '../tiles/schema.ts'

const TimeOrNull = Type.Union([Time, Type.Null()])

const Folder = Type.Union([Type.String({ maxLength: 400 }), Type.Null()], {
  description: 'A path of folders that `search` finds, such as `Growth/Signups`. null: none.',
})

const DashboardTile = Type.Object(
  { id: Type.Integer(), dashboard_id: Type.Integer(), deleted: Type.Boolean() },
  { title: 'DashboardTile', additionalProperties: false },
)

export const Insight = Type.Object(
  {
    ...TileInsight.properties,
    filters: Type.Object(
      { insight: Type.Optional(Type.String()) },
      {
        title: 'LegacyFilters',
        additionalProperties: false,
        description: 'For older apps: the kind of `query`, such as `TRENDS`, or empty.',
      },
    ),
    order: Type.Union([Type.Integer(), Type.Null()]),
    dashboards: Type.Array(Type.Integer(), {
      description: 'The ids of the dashboards that show it.',
    }),
    dashboard_tiles: Type.Array(DashboardTile),
    cache_target_age: TimeOrNull,
    next_allowed_client_refresh: TimeOrNull,
    hasMore: Type.Union([Type.Boolean(), Type.Null()]),
    types: Type.Union([Type.Array(Type.Unknown()), Type.Null()]),
    updated_at: Time,
    favorited: Type.Boolean(),
    saved: Type.Boolean(),
    _create_in_folder: Folder,
    effective_restriction_level: RestrictionLevel,
    effective_privilege_level: PrivilegeLevel,
    timezone: Type.Union([Type.String(), Type.Null()], {
      description: 'The time zone of the result.',
    }),
  },
  { title: 'Insight', additionalProperties: false },
)

const writable = {
  name: Type.String({ maxLength: MAX_INSIGHT_NAME }),
  derived_name: Type.Union([Type.String({ maxLength: MAX_INSIGHT_NAME }), Type.Null()]),
  description: Type.String(),
  query: { ...AnyObject, description: 'With a `kind`, or empty.' },
  tags: Type.Array(Type.String({ maxLength: 255 })),
  _create_in_folder: Folder,
  favorited: Type.Boolean(),
  saved: Type.Boolean({ description: 'Default: true.' }),
  dashboards: Type.Array(IdInput(), {
    maxItems: 1000,
    description:
      'The ids of all dashboards to show it: it is added to these and taken off the others.',
  }),
  deleted: Type.Boolean({ description: 'true moves it to the trash, false restores it.' }),
}

export const InsightWrite = Type.Partial(Type.Object(writable), { title: 'InsightWrite' })
export type InsightWrite = Static<typeof InsightWrite>

export const InsightParams = Type.Object({
  project_id: ProjectId,
  id: idOrText("The insight's `id` or `short_id`."),
})

export const InsightReadQuery = Type.Object({ refresh: Type.Optional(RefreshParameter) })

const OneOrMore = Type.Union([Type.String(), Type.Array(Type.String())])

export const ORDERS = ['last_modified_at', 'created_at', 'name'] as const
type Order = (typeof ORDERS)[number]

export const InsightQuery = Type.Object({
  ...PageQuery.properties,
  format: Format,
  refresh: Type.Optional(RefreshParameter),
  deleted: Type.Optional(Type.Boolean({ description: 'true lists the trash.' })),
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'Text in the name, description, tags or folder.' }),
  ),
  tags: Type.Optional({
    ...OneOrMore,
    description: 'Any of these tags; may be repeated, or a JSON array.',
  }),
  created_by: Type.Optional(
    Type.String({ description: "A user's id or UUID, or a JSON array of them." }),
  ),
  short_id: Type.Optional(Type.String()),
  saved: Type.Optional(Type.Boolean()),
  favorited: Type.Optional(Type.Boolean()),
  dashboards: Type.Optional(
    Type.String({
      description: 'The id of a dashboard that shows them, or a JSON array of such ids.',
    }),
  ),
  basic: Type.Optional(Type.Boolean({ description: 'true: without results.' })),
  order: Type.Optional(
    Type.Unsafe<Order | `-${Order}`>({
      title: 'InsightOrder',
      type: 'string',
      enum: ORDERS.flatMap((order) => [order, `-${order}`]),
      description: 'A leading `-` reverses the order. Default: `-last_modified_at`.',
    }),
  ),
})
export type InsightQuery = Static<typeof InsightQuery>
