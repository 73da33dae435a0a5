import { type Static, Type } from 'typebox'
import { PageQuery } from '#server/http/page.ts'
import { ProjectId, uuidParam } from '#server/http/params.ts'
import { moveLast } from '#server/resource/resource.ts'
import { orNull, Scope, TemplateTileInput, templateResource } from './fields.ts'

const { from_dashboard, ...write } = templateResource.write
const writable = moveLast(write, 'image_url', 'deleted')

/** The body of `create_from_template_json`, published by `json_schema`. */
export const TemplateJson = Type.Object({
  template_name: write.template_name,
  dashboard_description: write.dashboard_description,
  dashboard_filters: write.dashboard_filters,
  tiles: Type.Array(TemplateTileInput, { minItems: 1, maxItems: 1000 }),
  id: Type.Optional(Type.String()),
  team_id: Type.Optional(orNull(Type.Number())),
  created_at: Type.Optional(orNull(Type.String())),
  image_url: Type.Optional(write.image_url),
  tags: Type.Optional(write.tags),
  variables: Type.Optional(write.variables),
})
export type TemplateJson = Static<typeof TemplateJson>

export const TemplateJsonSchema = Type.Object(
  {},
  { title: 'TemplateJsonSchema', additionalProperties: true },
)

export const DashboardTemplate = Type.Object(templateResource.item, {
  title: 'DashboardTemplate',
  additionalProperties: false,
})
export type DashboardTemplate = Static<typeof DashboardTemplate>

export const TemplatePatch = Type.Partial(Type.Object(writable), { title: 'TemplatePatch' })
export type TemplatePatch = Static<typeof TemplatePatch>

export const TemplateCreate = Type.Partial(Type.Object({ ...writable, from_dashboard }), {
  title: 'TemplateCreate',
})
export type TemplateCreate = Static<typeof TemplateCreate>

export const TemplateParams = Type.Object({ project_id: ProjectId, id: uuidParam('a template') })

export const TemplateQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'Text in the name, description or tags.' }),
  ),
  scope: Type.Optional(Scope),
  deleted: Type.Optional(Type.Boolean({ description: 'true lists the trash.' })),
})
export type TemplateQuery = Static<typeof TemplateQuery>
