import { type Static, Type } from 'typebox'
import { UserOrNull } from '#server/features/accounts/users/schema.ts'
import { PageQuery } from '#server/http/page.ts'
import { ProjectId, uuidOf } from '#server/http/params.ts'
import { AnyObject, IdInput } from '#server/http/schemas.ts'
import { MAX_INSIGHT_NAME } from '../insight-rows/fields.ts'

const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

const Name = Type.String({ maxLength: 400 })
const Tags = Type.Array(Type.String({ maxLength: 255 }))
const ImageUrl = orNull(Type.String({ maxLength: 2000 }))

/** A tile of an unknown type is stored, but left out of dashboards. */
export const TemplateTileInput = Type.Object(
  {
    type: Type.Optional(Type.String({ description: '`INSIGHT` or `TEXT`.' })),
    name: Type.Optional(orNull(Type.String({ maxLength: MAX_INSIGHT_NAME }))),
    description: Type.Optional(orNull(Type.String())),
    query: Type.Optional(orNull(AnyObject)),
    body: Type.Optional(orNull(Type.String({ maxLength: 4000 }))),
    color: Type.Optional(orNull(Type.String({ maxLength: 400 }))),
    layouts: Type.Optional(orNull(AnyObject)),
  },
  { title: 'TemplateTileInput', additionalProperties: true },
)
export type TemplateTileInput = Static<typeof TemplateTileInput>

const Tiles = Type.Array(TemplateTileInput, { maxItems: 1000 })

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

/** The body of `create_from_template_json`, published by `json_schema`. */
export const TemplateJson = Type.Object({
  template_name: Name,
  dashboard_description: Type.String(),
  dashboard_filters: AnyObject,
  tiles: Type.Array(TemplateTileInput, { minItems: 1, maxItems: 1000 }),
  id: Type.Optional(Type.String()),
  team_id: Type.Optional(orNull(Type.Number())),
  created_at: Type.Optional(orNull(Type.String())),
  image_url: Type.Optional(ImageUrl),
  tags: Type.Optional(Tags),
  variables: Type.Optional(Variables),
})
export type TemplateJson = Static<typeof TemplateJson>

export const TemplateJsonSchema = Type.Object(
  {},
  { title: 'TemplateJsonSchema', additionalProperties: true },
)

const SCOPES = ['team', 'global', 'feature_flag'] as const
const Scope = Type.Unsafe<(typeof SCOPES)[number]>({
  title: 'TemplateScope',
  type: 'string',
  enum: [...SCOPES],
  description: "`global`: built in. `team`: the project's own.",
})

export const DashboardTemplate = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    template_name: Type.String({ description: 'The name for `use_template`.' }),
    dashboard_description: Type.String(),
    dashboard_filters: AnyObject,
    tags: Type.Array(Type.String()),
    tiles: Type.Array(AnyObject),
    variables: orNull(Type.Array(AnyObject)),
    deleted: Type.Boolean(),
    created_at: orNull(Type.String({ format: 'date-time' })),
    created_by: UserOrNull,
    image_url: orNull(Type.String()),
    team_id: orNull(Type.Integer()),
    scope: Scope,
  },
  { title: 'DashboardTemplate', additionalProperties: false },
)
export type DashboardTemplate = Static<typeof DashboardTemplate>

const writable = {
  template_name: Name,
  dashboard_description: Type.String(),
  dashboard_filters: AnyObject,
  tags: Tags,
  tiles: Tiles,
  variables: Variables,
  image_url: ImageUrl,
  deleted: Type.Boolean({ description: 'true moves it to the trash, false restores it.' }),
}

export const TemplatePatch = Type.Partial(Type.Object(writable), { title: 'TemplatePatch' })
export type TemplatePatch = Static<typeof TemplatePatch>

export const TemplateCreate = Type.Partial(
  Type.Object({
    ...writable,
    from_dashboard: IdInput({
      description:
        'A dashboard whose tiles and other fields are used unless sent. Needs `dashboard:read`.',
    }),
  }),
  { title: 'TemplateCreate' },
)
export type TemplateCreate = Static<typeof TemplateCreate>

export const TemplateParams = Type.Object({ project_id: ProjectId, id: uuidOf('a template') })

export const TemplateQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'Text in the name, description or tags.' }),
  ),
  scope: Type.Optional(Scope),
  deleted: Type.Optional(Type.Boolean({ description: 'true lists the trash.' })),
})
export type TemplateQuery = Static<typeof TemplateQuery>
