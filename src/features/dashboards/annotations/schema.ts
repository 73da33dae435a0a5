import { type Static, Type } from 'typebox'
import { PageQuery } from '#server/http/page.ts'
import { integerId, ProjectId } from '#server/http/params.ts'
import { IdInput } from '#server/http/schemas.ts'
import { moveLast } from '#server/resource/resource.ts'
import { annotationResource, Scope } from './fields.ts'

export const Annotation = Type.Object(annotationResource.item, {
  title: 'Annotation',
  additionalProperties: false,
})
export type Annotation = Static<typeof Annotation>

const target = ['scope', 'dashboard_item', 'dashboard_id'] as const

export const AnnotationWrite = Type.Partial(
  Type.Object(moveLast(annotationResource.write, ...target, 'creation_type', 'tags', 'deleted')),
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
  dashboard_id: Type.Optional(IdInput({ description: 'Without annotations of other dashboards.' })),
  dashboard_item: Type.Optional(IdInput({ description: 'Without annotations of other insights.' })),
  after: Type.Optional(Type.String({ description: 'Only at or after this time.' })),
  before: Type.Optional(Type.String({ description: 'Only before this time.' })),
  deleted: Type.Optional(Type.Boolean({ description: 'true lists the trash.' })),
})
export type AnnotationQuery = Static<typeof AnnotationQuery>
