import { type Static, Type } from 'typebox'
import type { Capabilities } from '#server/runtime/contract.ts'

export const FIELD_TYPES = ['string', 'json', 'attachment', 'choice'] as const
export const JOB_FIELD_TYPES = ['string', 'boolean', 'json', 'number', 'date', 'daterange'] as const

/** One entry of an app's `config`: a setting, or (without `key`) a line of text in the form. */
export const ConfigField = Type.Object(
  {
    key: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    type: Type.Optional(
      Type.Union([
        Type.Literal('string'),
        Type.Literal('json'),
        Type.Literal('attachment'),
        Type.Literal('choice'),
      ]),
    ),
    choices: Type.Optional(Type.Array(Type.String())),
    default: Type.Optional(Type.Unknown()),
    hint: Type.Optional(Type.String()),
    markdown: Type.Optional(Type.String()),
    order: Type.Optional(Type.Number()),
    required: Type.Optional(Type.Boolean()),
    secret: Type.Optional(Type.Boolean()),
    required_if: Type.Optional(Type.Array(Type.Array(Type.Unknown()))),
    visible_if: Type.Optional(Type.Array(Type.Array(Type.Unknown()))),
  },
  { title: 'ConfigField' },
)
export type ConfigField = Static<typeof ConfigField>

export interface JobField {
  readonly type: (typeof JOB_FIELD_TYPES)[number]
  readonly title?: string
  readonly required?: boolean
  readonly default?: unknown
  readonly staff_only?: boolean
}

/** By the job's name. */
export type PublicJobs = Readonly<
  Record<string, { readonly payload?: Readonly<Record<string, JobField>> }>
>

/** As much of an installed app as its configs show and need. */
export interface Plugin {
  readonly id: number
  readonly name: string
  readonly version: string
  readonly description: string
  readonly config_schema: readonly ConfigField[]
  readonly public_jobs: PublicJobs
  readonly capabilities: Partial<Capabilities>
}

const Names = Type.Array(Type.String())
const Time = Type.String({ format: 'date-time' })
const TextOrNull = Type.Union([Type.String(), Type.Null()])

/** The whole record, as the organisation's list shows it. */
export const InstalledPlugin = Type.Object(
  {
    id: Type.Integer(),
    plugin_type: Type.Unsafe<'inline' | 'local' | 'custom' | 'source'>({
      type: 'string',
      enum: ['inline', 'local', 'custom', 'source'],
      description:
        'Where it came from: Hedgerow itself, a folder or archive, the npm registry, or source that was sent.',
    }),
    name: Type.String(),
    version: Type.String({ description: 'Empty when the app does not say.' }),
    description: Type.String(),
    url: Type.Union([Type.String(), Type.Null()], {
      description: '`npm:<name>` or `file:<path>`; null for source that was sent.',
    }),
    icon: TextOrNull,
    config_schema: Type.Array(ConfigField),
    tag: Type.Union([Type.String(), Type.Null()], { description: 'The npm version installed.' }),
    latest_tag: Type.Union([Type.String(), Type.Null()], {
      description: 'The newest npm version seen.',
    }),
    is_global: Type.Boolean(),
    organization_id: Type.String({ format: 'uuid' }),
    organization_name: Type.String(),
    capabilities: Type.Object(
      { scheduled_tasks: Names, jobs: Names, methods: Names },
      { title: 'PluginCapabilities', additionalProperties: false },
    ),
    metrics: Type.Object({}, { description: 'Always empty.' }),
    public_jobs: Type.Unsafe<PublicJobs>({
      type: 'object',
      additionalProperties: true,
      description: 'Jobs that may be started by the API, and the fields they take, by name.',
    }),
    hog_function_migration_available: Type.Boolean({ description: 'Always false.' }),
    built_in: Type.Boolean({ description: 'It comes with Hedgerow and cannot be changed.' }),
    has_frontend: Type.Boolean(),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Plugin', additionalProperties: false },
)
export type InstalledPlugin = Static<typeof InstalledPlugin>

const MAX_NAME = 200
const name = Type.String({ minLength: 1, maxLength: MAX_NAME })

export const PluginInstall = Type.Object(
  {
    url: Type.Optional(
      Type.Union([Type.String({ maxLength: 800 }), Type.Null()], {
        description: '`npm:<name>[@version]` or `https://www.npmjs.com/package/<name>`.',
      }),
    ),
    plugin_type: Type.Optional(
      Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
        description: '`source` when the app itself is sent.',
      }),
    ),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: MAX_NAME, description: 'When no plugin.json says.' }),
    ),
    files: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'Texts by file name.' }),
    ),
    source: Type.Optional(Type.String({ description: 'The text of `index.ts`.' })),
  },
  { title: 'PluginInstall' },
)
export type PluginInstall = Static<typeof PluginInstall>

export const PluginPatch = Type.Partial(
  Type.Object({
    name,
    description: Type.String({ maxLength: 1000 }),
    icon: Type.Union([Type.String({ maxLength: 800 }), Type.Null()]),
  }),
  { title: 'PluginPatch' },
)
export type PluginPatch = Static<typeof PluginPatch>

export const PluginUpgrade = Type.Object(
  {
    version: Type.Optional(
      Type.String({ maxLength: 100, description: 'An npm version or tag: `latest` if not given.' }),
    ),
  },
  { title: 'PluginUpgrade' },
)

export const PluginSource = Type.Record(Type.String(), Type.String(), {
  title: 'PluginSource',
  description: 'Texts by file name.',
})
export type PluginSource = Readonly<Record<string, string>>

export const PluginSourcePatch = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Null()]),
  {
    title: 'PluginSourcePatch',
    description: 'Texts by file name; null removes a file, and those not named stay.',
  },
)
export type PluginSourcePatch = Readonly<Record<string, string | null>>

export const PluginUpdates = Type.Object(
  { plugin: InstalledPlugin },
  { title: 'PluginUpdates', additionalProperties: false },
)

export const PluginUse = Type.Object(
  {
    project_id: Type.Integer(),
    project_name: Type.String(),
    configs: Type.Integer({ description: 'How many of its import apps run this app.' }),
  },
  { title: 'PluginUse', additionalProperties: false },
)
export type PluginUse = Static<typeof PluginUse>

export const OrganizationParams = Type.Object({
  organization_id: Type.String({ description: "The organisation's id, or `@current`." }),
})
export const PluginParams = Type.Object({
  ...OrganizationParams.properties,
  id: Type.String({ description: 'The id of a plugin.' }),
})
