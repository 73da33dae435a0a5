import { type Static, Type } from 'typebox'

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
  readonly type: 'string' | 'boolean' | 'json' | 'number' | 'date' | 'daterange'
  readonly title?: string
  readonly required?: boolean
  readonly default?: unknown
  readonly staff_only?: boolean
}

/** By the job's name. */
export type PublicJobs = Readonly<
  Record<string, { readonly payload?: Readonly<Record<string, JobField>> }>
>

export interface Plugin {
  readonly id: number
  readonly name: string
  readonly version: string
  readonly description: string
  readonly config_schema: readonly ConfigField[]
  readonly public_jobs: PublicJobs
  readonly capabilities: { readonly scheduled_tasks?: readonly string[] }
}
