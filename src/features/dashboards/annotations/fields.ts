import { Type } from 'typebox'
import { userField } from '#server/features/accounts/users/user-texts.ts'
import { quoted } from '#server/http/json-text.ts'
import { IdInput, Time } from '#server/http/schemas.ts'
import { defineResource, trashField } from '#server/resource/resource.ts'
import { tagsField } from '#server/resource/tags.ts'

const SCOPES = ['dashboard_item', 'dashboard', 'project', 'organization'] as const
const CREATION_TYPES = ['USR', 'GIT'] as const

export const Scope = Type.Unsafe<(typeof SCOPES)[number]>({
  title: 'AnnotationScope',
  type: 'string',
  enum: [...SCOPES],
  description:
    'The charts that show it: of one insight, one dashboard, the project, or all projects.',
})
const CreationType = Type.Unsafe<(typeof CREATION_TYPES)[number]>({
  title: 'AnnotationCreationType',
  type: 'string',
  enum: [...CREATION_TYPES],
  description: '`USR`: written by a person. `GIT`: created by a program.',
})
const IdOrNull = Type.Union([Type.Integer(), Type.Null()])
const TextOrNull = Type.Union([Type.String(), Type.Null()])

/** Defines a field that is read from another table. */
const joined = <Column extends string>(column: Column) => ({
  schema: TextOrNull,
  read: (row: Readonly<Record<Column, string | null>>) => quoted(row[column]),
})

export const annotationResource = defineResource('annotations', {
  id: { schema: Type.Integer() },
  content: {
    schema: Type.String(),
    write: Type.Union([Type.String({ maxLength: 8192 }), Type.Null()]),
    normalize: (content: string | null) => content ?? '',
    log: true,
  },
  date_marker: {
    schema: Time,
    write: Type.Union([Type.String({ maxLength: 100 }), Type.Null()], {
      description: 'The moment to mark. Default: the time of creation.',
    }),
    log: true,
  },
  creation_type: { schema: CreationType, write: CreationType, default: 'USR' },
  dashboard_item: {
    schema: IdOrNull,
    column: 'insight_id',
    write: Type.Union([IdInput(), Type.Null()], { description: 'The id of an insight.' }),
    log: true,
  },
  dashboard_id: { schema: IdOrNull, write: Type.Union([IdInput(), Type.Null()]), log: true },
  dashboard_name: joined('dashboard_name'),
  insight_short_id: joined('insight_short_id'),
  insight_name: joined('insight_name'),
  insight_derived_name: joined('insight_derived_name'),
  created_by: userField('created_by'),
  created_at: { schema: Time },
  updated_at: { schema: Time },
  deleted: trashField,
  scope: {
    schema: Scope,
    write: Type.Unsafe<(typeof SCOPES)[number]>({
      ...Scope,
      description:
        'Default: `dashboard_item` or `dashboard` if its id is sent, otherwise `project`. `organization` needs an admin whose key is not limited to projects.',
    }),
    log: true,
  },
  tags: tagsField,
})
