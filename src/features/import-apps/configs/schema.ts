import { type Static, Type } from 'typebox'
import { Change } from '#server/features/activity/schema.ts'
import { PageQuery } from '#server/http/page.ts'
import { integerId, ProjectId } from '#server/http/params.ts'
import { ConfigField } from '../plugins/schema.ts'

export const MIN_ORDER = -(2 ** 31)
export const MAX_ORDER = 2 ** 31 - 1

const JsonObject = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
})
const Time = Type.String({ format: 'date-time' })

export const PipelineConfig = Type.Object(
  {
    id: Type.Integer(),
    plugin: Type.Integer(),
    enabled: Type.Boolean(),
    order: Type.Integer(),
    config: Type.String({ description: 'The settings as JSON text, secrets masked.' }),
    error: Type.String({ description: 'The last error, or empty.' }),
    team_id: Type.Integer({ description: 'The project.' }),
    plugin_info: Type.String({
      description: 'The plugin as JSON text; empty if it is not installed.',
    }),
    delivery_rate_24h: Type.String({
      description: 'The success rate of the last 24 hours, from `0` to `1`, or empty.',
    }),
    created_at: Time,
    updated_at: Time,
    name: Type.String(),
    description: Type.String(),
    deleted: Type.Boolean({ description: 'Whether it is in the trash.' }),
  },
  { title: 'PipelineConfig', additionalProperties: false },
)
export type PipelineConfig = Static<typeof PipelineConfig>

const writable = {
  plugin: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  enabled: Type.Boolean(),
  order: Type.Integer({ minimum: MIN_ORDER, maximum: MAX_ORDER }),
  name: Type.Union([Type.String({ maxLength: 400 }), Type.Null()], {
    description: "Empty or null to use the plugin's.",
  }),
  description: Type.Union([Type.String({ maxLength: 1000 }), Type.Null()], {
    description: "Empty or null to use the plugin's.",
  }),
  deleted: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'true moves the config to the trash and disables it; false or null restores it.',
  }),
  config: Type.Union([Type.String(), JsonObject], {
    description:
      'All settings, as JSON text or as an object. Missing ones are deleted, except for secrets; a masked secret stays as it is.',
  }),
}

export const PipelineConfigPatch = Type.Partial(Type.Object(writable), {
  title: 'PipelineConfigPatch',
})
export type PipelineConfigPatch = Static<typeof PipelineConfigPatch>

export const PipelineConfigCreate = Type.Object(
  { ...PipelineConfigPatch.properties, plugin: writable.plugin },
  { title: 'PipelineConfigCreate' },
)
export type PipelineConfigCreate = Static<typeof PipelineConfigCreate>

const FormText = Type.Optional(Type.String())

/** Only documents the form: it is converted to a JSON body before validation. */
export const PipelineConfigForm = Type.Object(
  {
    plugin: FormText,
    enabled: FormText,
    order: FormText,
    name: FormText,
    description: FormText,
    deleted: FormText,
    config: Type.Optional(
      Type.String({
        description: 'All settings as JSON text. Missing ones are deleted, except for secrets.',
      }),
    ),
  },
  {
    title: 'PipelineConfigForm',
    description:
      'The part `add_attachment[<key>]` holds a file for a setting; `remove_attachment[<key>]` removes it.',
    additionalProperties: { type: 'string' },
  },
)

export const PipelineConfigQuery = Type.Object({
  ...PageQuery.properties,
  deleted: Type.Optional(Type.Boolean({ description: 'true lists the trash.' })),
})

export const ProjectParams = Type.Object({
  project_id: ProjectId,
})
export const PipelineConfigParams = Type.Object({
  ...ProjectParams.properties,
  id: integerId('a config'),
})
export const Rearrangement = Type.Object(
  {
    ...PipelineConfigPatch.properties,
    orders: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'The new order of each config, by its id.',
      }),
    ),
  },
  { title: 'Rearrangement' },
)
export type Rearrangement = Static<typeof Rearrangement>

export const Migrated = Type.Object(
  {
    plugin_version: Type.String({ description: 'Empty if the plugin is not installed.' }),
    changes: Type.Array(Change),
  },
  { title: 'Migrated', additionalProperties: false },
)
export type Migrated = Static<typeof Migrated>

export const PipelineConfigSettings = Type.Object(
  { settings: JsonObject, config_schema: Type.Array(ConfigField) },
  { title: 'PipelineConfigSettings', additionalProperties: false },
)
export type PipelineConfigSettings = Static<typeof PipelineConfigSettings>

export const PipelineConfigSettingsPatch = Type.Object(
  { settings: JsonObject },
  { title: 'PipelineConfigSettingsPatch' },
)
