import { type Static, Type } from 'typebox'
import { Format, PageQuery } from '#server/http/page.ts'
import { integerId, ProjectId } from '#server/http/params.ts'
import { actionResource } from './fields.ts'

export const Action = Type.Object(actionResource.item, {
  title: 'Action',
  additionalProperties: false,
})
export type Action = Static<typeof Action>

const { name, deleted: _, ...optional } = actionResource.write

export const ActionCreate = Type.Object(
  { name, ...Type.Partial(Type.Object(optional)).properties },
  { title: 'ActionCreate' },
)
export type ActionCreate = Static<typeof ActionCreate>

export const ActionPatch = Type.Partial(Type.Object(actionResource.write), {
  title: 'ActionPatch',
})
export type ActionPatch = Static<typeof ActionPatch>

export const ActionQuery = Type.Object({
  ...PageQuery.properties,
  format: Format,
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'Text in the name, description or tags.' }),
  ),
  deleted: Type.Optional(Type.Boolean({ description: 'true lists the trash.' })),
})
export type ActionQuery = Static<typeof ActionQuery>

export const ActionParams = Type.Object({
  project_id: ProjectId,
  id: integerId('an action'),
})
