import { type Static, type TSchema, Type } from 'typebox'
import { invalid } from '#server/errors.ts'
import { userField } from '#server/features/accounts/users/user-texts.ts'
import { plain, quoted } from '#server/http/json-text.ts'
import { requireName } from '#server/http/names.ts'
import { AnyObject, IdInput, TimeOrNull } from '#server/http/schemas.ts'
import { defineResource, trashField } from '#server/resource/resource.ts'
import { tagsField } from '#server/resource/tags.ts'
import { MAX_INSIGHT_NAME } from '../insight-rows/fields.ts'
import { SectionOrNull, ShowDescription } from '../tiles/schema.ts'

const MAX_NAME = 400

export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** A tile of an unknown type is stored, but left out of dashboards. */
export const TemplateTileInput = Type.Object(
  {
    type: Type.Optional(Type.String({ description: '`INSIGHT` or `TEXT`.' })),
    name: Type.Optional(orNull(Type.String({ maxLength: MAX_INSIGHT_NAME }))),
    description: Type.Optional(orNull(Type.String())),
    query: Type.Optional(orNull(AnyObject)),
    body: Type.Optional(orNull(Type.String({ maxLength: 4000 }))),
    color: Type.Optional(orNull(Type.String({ maxLength: 400 }))),
    section: Type.Optional(SectionOrNull),
    layouts: Type.Optional(orNull(AnyObject)),
    show_description: Type.Optional(ShowDescription),
    filters_overrides: Type.Optional(orNull(AnyObject)),
  },
  { title: 'TemplateTileInput', additionalProperties: true },
)
export type TemplateTileInput = Static<typeof TemplateTileInput>

function requireTiles(tiles: readonly object[]): readonly object[] {
  if (tiles.length > 0) return tiles
  throw invalid('tiles', 'You need to provide tiles for the template.')
}

const Variables = orNull(
  Type.Array(
    Type.Object(
      {
        id: Type.String(),
        name: Type.String(),
        type: Type.String({ description: '`event`.' }),
        default: AnyObject,
        description: Type.String(),
        required: Type.Boolean(),
      },
      { title: 'TemplateVariable', additionalProperties: true },
    ),
    {
      maxItems: 100,
      description: 'Values that a client asks for and fills in before it sends the tiles.',
    },
  ),
)

const SCOPES = ['team', 'global', 'feature_flag'] as const
export const Scope = Type.Unsafe<(typeof SCOPES)[number]>({
  title: 'TemplateScope',
  type: 'string',
  enum: [...SCOPES],
  description: "`global`: built in. `team`: the project's own.",
})

/** Built-in templates have neither. */
interface Origin {
  readonly project_id: number | null
  readonly created_at: string | null
}

export const templateResource = defineResource('dashboard_templates', {
  id: { schema: Type.String({ format: 'uuid' }) },
  template_name: {
    schema: Type.String({ description: 'The name for `use_template`.' }),
    column: 'name',
    write: Type.String({ maxLength: MAX_NAME }),
    normalize: (name: string) => requireName('template_name', name, MAX_NAME),
  },
  dashboard_description: { schema: Type.String(), column: 'description', write: Type.String() },
  dashboard_filters: { schema: AnyObject, column: 'filters', write: AnyObject },
  tags: tagsField,
  tiles: {
    schema: Type.Array(AnyObject),
    write: Type.Array(TemplateTileInput, { maxItems: 1000 }),
    normalize: requireTiles,
  },
  variables: { schema: orNull(Type.Array(AnyObject)), write: Variables },
  deleted: trashField,
  created_at: { schema: TimeOrNull, read: ({ created_at }: Origin) => quoted(created_at) },
  created_by: userField('created_by'),
  image_url: { schema: orNull(Type.String()), write: orNull(Type.String({ maxLength: 2000 })) },
  team_id: { schema: orNull(Type.Integer()), read: ({ project_id }: Origin) => project_id },
  scope: {
    schema: Scope,
    read: ({ project_id }: Origin) => plain(project_id === null ? 'global' : 'team'),
  },
  from_dashboard: {
    write: IdInput({
      description:
        'A dashboard whose tiles and other fields are used unless sent. Needs `dashboard:read`.',
    }),
  },
})
