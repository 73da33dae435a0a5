import { type Static, Type } from 'typebox'
import { integerId, ProjectId } from '#server/http/params.ts'
import { linkResource } from './fields.ts'

export const PublicLink = Type.Object(linkResource.item, {
  title: 'PublicLink',
  additionalProperties: false,
})
export type PublicLink = Static<typeof PublicLink>

export const PublicLinkWrite = Type.Partial(
  Type.Object({
    ...linkResource.write,
    password: Type.Union([Type.String({ maxLength: 200 }), Type.Null()], {
      description: 'Visitors enter it before they see anything. Null: anyone can open the link.',
    }),
  }),
  { title: 'PublicLinkWrite' },
)
export type PublicLinkWrite = Static<typeof PublicLinkWrite>

const LinksOf = { project_id: ProjectId, dashboard_id: integerId('a dashboard') }
export const LinksParams = Type.Object(LinksOf)
export const LinkParams = Type.Object({ ...LinksOf, link_id: integerId('a public link') })

export const LinkViews = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        { day: Type.String({ description: 'A day in UTC: `2026-11-19`.' }), views: Type.Integer() },
        { title: 'ViewsOfDay', additionalProperties: false },
      ),
    ),
  },
  { title: 'LinkViews', additionalProperties: false },
)
export type LinkViews = Static<typeof LinkViews>
