import { type Static, Type } from 'typebox'
import { PageQuery } from '#server/http/page.ts'
import { integerId, ProjectId } from '#server/http/params.ts'
import { IdInput } from '#server/http/schemas.ts'
import { Page, viewResource } from './fields.ts'

export const SavedView = Type.Object(viewResource.item, {
  title: 'SavedView',
  additionalProperties: false,
})
export type SavedView = Static<typeof SavedView>

const { name, page, dashboard_id, filters } = viewResource.write

export const SavedViewCreate = Type.Object(
  { name, page, dashboard_id: Type.Optional(dashboard_id), filters },
  { title: 'SavedViewCreate' },
)
export type SavedViewCreate = Static<typeof SavedViewCreate>

export const SavedViewPatch = Type.Partial(Type.Object({ name, filters }), {
  title: 'SavedViewPatch',
})
export type SavedViewPatch = Static<typeof SavedViewPatch>

export const SavedViewQuery = Type.Object({
  ...PageQuery.properties,
  page: Type.Optional(Page),
  dashboard_id: Type.Optional(IdInput({ description: 'Only views of this dashboard.' })),
})
export type SavedViewQuery = Static<typeof SavedViewQuery>

export const SavedViewParams = Type.Object({
  project_id: ProjectId,
  id: integerId('a saved view'),
})
