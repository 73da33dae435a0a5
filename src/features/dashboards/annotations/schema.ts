import { type Static, Type } from 'typebox'
import { UserOrNull } from '#server/features/accounts/users/schema.ts'
import { PageQuery } from '#server/http/page.ts'
import { integerId, ProjectId } from '#server/http/params.ts'
import { IdInput } from '../tiles/schema.ts'

const SCOPES = ['dashboard_item', 'dashboard', 'project', 'organization'] as const
const CREATION_TYPES = ['USR', 'GIT'] as const

const Scope = Type.Unsafe<(typeof SCOPES)[number]>({
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
const Time = Type.String({ format: 'date-time' })
const IdOrNull = Type.Union([Type.Integer(), Type.Null()])
const TextOrNull = Type.Union([Type.String(), Type.Null()])

export const Annotation = Type.Object(
  {
    id: Type.Integer(),
    content: Type.String(),
    date_marker: Time,
    creation_type: CreationType,
    dashboard_item: IdOrNull,
    dashboard_id: IdOrNull,
    dashboard_name: TextOrNull,
    insight_short_id: TextOrNull,
    insight_name: TextOrNull,
    insight_derived_name: TextOrNull,
    created_by: UserOrNull,
    created_at: Time,
    updated_at: Time,
    deleted: Type.Boolean(),
    scope: Scope,
    tags: Type.Array(Type.String()),
  },
  { title: 'Annotation', additionalProperties: false },
)
export type Annotation = Static<typeof Annotation>

export const AnnotationWrite = Type.Partial(
  Type.Object({
    content: Type.Union([Type.String({ maxLength: 8192 }), Type.Null()]),
    date_marker: Type.Union([Type.String({ maxLength: 100 }), Type.Null()], {
      description: 'The moment to mark. Default: the time of creation.',
    }),
    scope: Type.Unsafe<(typeof SCOPES)[number]>({
      ...Scope,
      description:
        'Default: `dashboard_item` or `dashboard` if its id is sent, otherwise `project`. `organization` needs an admin whose key is not limited to projects.',
    }),
    dashboard_item: Type.Union([IdInput(), Type.Null()], { description: 'The id of an insight.' }),
    dashboard_id: Type.Union([IdInput(), Type.Null()]),
    creation_type: CreationType,
    tags: Type.Array(Type.String({ maxLength: 255 })),
    deleted: Type.Boolean({ description: 'true moves it to the trash, false restores it.' }),
  }),
  { title: 'AnnotationWrite' },
)
export type AnnotationWrite = Static<typeof AnnotationWrite>

export const AnnotationParams = Type.Object({
  project_id: ProjectId,
  id: integerId('an annotation'),
})

export const AnnotationQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'Text in the content or tags.' }),
  ),
  scope: Type.Optional(Scope),
  dashboard_id: Type.Optional(
    Type.Integer({ description: 'Without annotations of other dashboards.' }),
  ),
  dashboard_item: Type.Optional(
    Type.Integer({ description: 'Without annotations of other insights.' }),
  ),
  after: Type.Optional(Type.String({ description: 'Only at or after this time.' })),
  before: Type.Optional(Type.String({ description: 'Only before this time.' })),
  deleted: Type.Optional(Type.Boolean({ description: 'true lists the trash.' })),
})
export type AnnotationQuery = Static<typeof AnnotationQuery>
