import { type Static, Type } from 'typebox'
import type { Section } from '#model/grid.ts'
import { UserOrNull } from '#server/features/accounts/users/schema.ts'
import { FiltersNotApplied } from '#server/features/results/schema.ts'
import { AnyObject, IdInput, Time, TimeOrNull } from '#server/http/schemas.ts'
import { MAX_INSIGHT_NAME, tileInsight } from '../insight-rows/fields.ts'

const Color = Type.Union([Type.String({ maxLength: 400 }), Type.Null()])
export const ShowDescription = Type.Union([Type.Boolean(), Type.Null()], {
  description: 'Whether the tile shows the description of its insight. null: only when pointed at.',
})

const SectionState = Type.Unsafe<Section>({
  title: 'TileSection',
  type: 'string',
  enum: ['open', 'folded'],
})

export const SectionOrNull = Type.Union([SectionState, Type.Null()], {
  description:
    'Set if the text is the title of a section, which has the tiles below it up to the next title: whether viewers first see them.',
})

export const TileInsight = Type.Object(tileInsight.item, {
  title: 'TileInsight',
  additionalProperties: false,
})

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
    section: SectionOrNull,
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
    section: Type.Optional(SectionOrNull),
    filters_overrides: Type.Optional(AnyObject),
    deleted: Type.Optional(Type.Boolean()),
    insight: Type.Optional(Type.Union([InsightInput, Type.Null()])),
    text: Type.Optional(Type.Union([TextInput, Type.Null()])),
  },
  { title: 'TileInput' },
)
export type TileInput = Static<typeof TileInput>
