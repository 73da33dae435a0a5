import { type Static, Type } from 'typebox'
import { OrganizationParams } from '#server/features/accounts/projects/schema.ts'
import { integerId } from '#server/http/params.ts'
import type { Capabilities } from '#server/runtime/contract.ts'

export const FIELD_TYPES = ['string', 'json', 'attachment', 'choice'] as const
export const JOB_FIELD_TYPES = ['string', 'boolean', 'json', 'number', 'date', 'daterange'] as const

/** One entry of an app's `config`: a setting, or (without `key`) a text in the form. */
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
    address: Type.Optional(
      Type.Boolean({
        description:
          'Decides where secrets are sent. A change requires every secret in the same request.',
      }),
    ),
    column: Type.Optional(
      Type.Boolean({ description: 'Names a column of what is imported, which the form lists.' }),
    ),
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

/** Jobs by name. */
export type PublicJobs = Readonly<
  Record<string, { readonly payload?: Readonly<Record<string, JobField>> }>
>

/** Groups the apps of the catalog. Apps that are not built in are Other. */
export const CATEGORIES = [
  ...([
    'General',
    'Files',
    'Databases',
    'Payments',
    'Development',
    'Community',
    'Marketing',
  ] as const),
  ...(['Support', 'Other'] as const),
] as const
export type Category = (typeof CATEGORIES)[number]

/** The part of an installed app that configs and runs need. */
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

/** The complete record of an installed app. */
export const InstalledPlugin = Type.Object(
  {
    id: Type.Integer(),
    plugin_type: Type.Unsafe<'inline' | 'local' | 'custom' | 'source'>({
      title: 'PluginType',
      type: 'string',
      enum: ['inline', 'local', 'custom', 'source'],
      description:
        'The origin: built in, a folder or archive, npm or GitHub, or source sent by a caller.',
    }),
    name: Type.String(),
    version: Type.String({ description: 'Empty if the app has none.' }),
    description: Type.String(),
    url: Type.Union([Type.String(), Type.Null()], {
      description:
        '`npm:<name>`, `https://github.com/<owner>/<repository>` or `file:<path>`; null for source.',
    }),
    icon: TextOrNull,
    config_schema: Type.Array(ConfigField),
    tag: Type.Union([Type.String(), Type.Null()], {
      description: 'The installed npm version or commit.',
    }),
    latest_tag: Type.Union([Type.String(), Type.Null()], {
      description: 'The latest npm version or commit, as of the last check.',
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
      description: 'The jobs that the API can start, with their payload fields, by name.',
    }),
    hog_function_migration_available: Type.Boolean({ description: 'Always false.' }),
    built_in: Type.Boolean({ description: 'Built-in apps cannot be changed.' }),
    has_frontend: Type.Boolean(),
    limitation: Type.String({
      description:
        'What the app cannot do here, or empty. Only imports run, and only jobs that the code exports.',
    }),
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
        description:
          '`npm:<name>[@version]`, `https://www.npmjs.com/package/<name>[/v/<version>]` or `https://github.com/<owner>/<repository>[/tree/<ref>[/<folder>]]`.',
      }),
    ),
    plugin_type: Type.Optional(
      Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
        description: '`source` if the files are sent.',
      }),
    ),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_NAME,
        description: 'Used if there is no plugin.json.',
      }),
    ),
    files: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'Source texts by file name.' }),
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
      Type.String({
        maxLength: 100,
        description:
          'An npm version or tag, or a branch, tag or commit on GitHub. Default: the latest.',
      }),
    ),
  },
  { title: 'PluginUpgrade' },
)

export const PluginSource = Type.Record(Type.String(), Type.String(), {
  title: 'PluginSource',
  description: 'Source texts by file name.',
})
export type PluginSource = Readonly<Record<string, string>>

export const PluginSourcePatch = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Null()]),
  {
    title: 'PluginSourcePatch',
    description: 'Source texts by file name. null deletes a file; files that are not named stay.',
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
    configs: Type.Integer({ description: 'The number of configs of this app.' }),
  },
  { title: 'PluginUse', additionalProperties: false },
)
export type PluginUse = Static<typeof PluginUse>

export const PluginParams = Type.Object({
  ...OrganizationParams.properties,
  id: integerId('an import app'),
})
