import { type Static, Type } from 'typebox'
import { UserOrNull } from '#server/features/accounts/users/schema.ts'
import { FiltersNotApplied, StatusOrNull } from '#server/features/results/schema.ts'
import { AnyObject, Time } from '#server/http/schemas.ts'

const TimeOrNull = Type.Union([Time, Type.Null()])
const Color = Type.Union([Type.String({ maxLength: 400 }), Type.Null()])
const ShowDescription = Type.Union([Type.Boolean(), Type.Null()], {
  description: 'Whether the tile shows the description of its insight. null: only when pointed at.',
})

export const TileInsight = Type.Object(
  {
    id: Type.Integer(),
    short_id: Type.String(),
    name: Type.String(),
    derived_name: Type.Union([Type.String(), Type.Null()], {
      description: 'A name that clients derive from the query, shown if `name` is empty.',
    }),
    description: Type.String(),
    query: AnyObject,
    tags: Type.Array(Type.String()),
    is_sample: Type.Boolean({ description: 'Whether it was created by a template.' }),
    deleted: Type.Boolean(),
    created_at: Time,
    created_by: UserOrNull,
    last_modified_at: Time,
    last_modified_by: UserOrNull,
    last_refresh: TimeOrNull,
    is_cached: Type.Boolean(),
    result: Type.Unknown({ description: 'null: not computed yet.' }),
    columns: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'The column names of an SQL result.',
    }),
    query_status: StatusOrNull,
  },
  { title: 'TileInsight', additionalProperties: false },
)

export const TileText = Type.Object(
  {
    id: Type.Integer(),
    body: Type.String({ description: 'Markdown.' }),
    created_by: UserOrNull,
    last_modified_at: Time,
    last_modified_by: UserOrNull,
    team: Type.Integer(),
  },
  { title: 'TileText', additionalProperties: false },
)

export const Tile = Type.Object(
  {
    id: Type.Integer(),
    layouts: { ...AnyObject, description: 'Position by screen: `{"sm": {"x", "y", "w", "h"}}`.' },
    color: Color,
    show_description: ShowDescription,
    insight: Type.Union([TileInsight, Type.Null()]),
    text: Type.Union([TileText, Type.Null()]),
    order: Type.Integer({ description: 'Position in this response, from 0.' }),
    last_refresh: TimeOrNull,
    is_cached: Type.Boolean(),
    filters_overrides: {
      ...AnyObject,
      description: "Dates and properties for this tile; the dates override the dashboard's.",
    },
    filters_not_applied: FiltersNotApplied,
  },
  { title: 'Tile', additionalProperties: false },
)
export type Tile = Static<typeof Tile>

export const MAX_INSIGHT_NAME = 400

/** Refuses ids that no column can hold before they reach the database. */
export const IdInput = (options: { description?: string } = {}) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...options })

const InsightInput = Type.Object({
  id: Type.Optional(IdInput({ description: 'An existing insight of the project.' })),
  name: Type.Optional(Type.Union([Type.String({ maxLength: MAX_INSIGHT_NAME }), Type.Null()])),
  description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  query: Type.Optional(Type.Union([AnyObject, Type.Null()])),
})

const TextInput = Type.Object({
  id: Type.Optional(IdInput()),
  body: Type.Optional(Type.Union([Type.String({ maxLength: 4000 }), Type.Null()])),
})

export const TileInput = Type.Object(
  {
    id: Type.Optional(
      IdInput({ description: 'The tile to update; without it a tile is created.' }),
    ),
    layouts: Type.Optional(AnyObject),
    color: Type.Optional(Color),
    show_description: Type.Optional(ShowDescription),
    filters_overrides: Type.Optional(AnyObject),
    deleted: Type.Optional(Type.Boolean()),
    insight: Type.Optional(Type.Union([InsightInput, Type.Null()])),
    text: Type.Optional(Type.Union([TextInput, Type.Null()])),
  },
  { title: 'TileInput' },
)
export type TileInput = Static<typeof TileInput>
