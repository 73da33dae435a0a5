import { type Static, Type } from 'typebox'
import { PageQuery } from '#server/http/page.ts'
import { IdInput } from '#server/http/schemas.ts'
import { linkResource } from './fields.ts'
import { guestResource } from './guest-fields.ts'

export const PublicLink = Type.Object(linkResource.item, {
  title: 'PublicLink',
  additionalProperties: false,
})
export type PublicLink = Static<typeof PublicLink>

export const PublicLinkWrite = Type.Partial(
  Type.Object({
    ...linkResource.write,
    password: Type.Union([Type.String({ maxLength: 200 }), Type.Null()], {
      description:
        'Visitors enter it before they see anything, and `audience` is `password`. Null: anyone can open a link that had one.',
    }),
  }),
  { title: 'PublicLinkWrite' },
)
export type PublicLinkWrite = Static<typeof PublicLinkWrite>

/** Someone whom a link invites, or everyone with an address at a domain. */
export const LinkGuest = Type.Object(guestResource.item, {
  title: 'LinkGuest',
  additionalProperties: false,
})
export type LinkGuest = Static<typeof LinkGuest>

export const LinkGuestCreate = Type.Partial(Type.Object(guestResource.write), {
  title: 'LinkGuestCreate',
})
export type LinkGuestCreate = Static<typeof LinkGuestCreate>

const LinkedDashboard = Type.Object(
  { id: Type.Integer(), name: Type.String() },
  { title: 'LinkedDashboard', additionalProperties: false },
)

const LinkedInsight = Type.Object(
  { id: Type.Integer(), short_id: Type.String(), name: Type.String() },
  { title: 'LinkedInsight', additionalProperties: false },
)

/** It leads to a dashboard or to an insight. */
export const OrganizationLink = Type.Object(
  {
    ...linkResource.item,
    dashboard: Type.Union([LinkedDashboard, Type.Null()]),
    insight: Type.Union([LinkedInsight, Type.Null()]),
    project: Type.Object(
      { id: Type.Integer(), name: Type.String() },
      { title: 'LinkProject', additionalProperties: false },
    ),
  },
  { title: 'OrganizationLink', additionalProperties: false },
)
export type OrganizationLink = Static<typeof OrganizationLink>

export const OrganizationLinkQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Text in the name, description or tags of the dashboard or insight.',
    }),
  ),
  project: Type.Optional(IdInput({ description: 'Only links of this project.' })),
})

export const LinksRevoke = Type.Object(
  { ids: Type.Array(IdInput(), { minItems: 1, maxItems: 1000 }) },
  { title: 'LinksRevoke' },
)

export const LinksRevoked = Type.Object(
  { revoked: Type.Integer({ description: 'How many were revoked; others had been before.' }) },
  { title: 'LinksRevoked', additionalProperties: false },
)

export const LinkViews = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        { day: Type.String({ description: 'A day in UTC: `2026-11-19`.' }), views: Type.Integer() },
        { title: 'ViewsOfDay', additionalProperties: false },
      ),
    ),
    guests: Type.Array(
      Type.Object(
        {
          email: Type.String(),
          views: Type.Integer(),
          last_day: Type.String({ description: 'The last day on which they opened it.' }),
        },
        { title: 'ViewsOfGuest', additionalProperties: false },
      ),
      { description: 'Those who entered a code that was mailed to them, the last ones first.' },
    ),
  },
  { title: 'LinkViews', additionalProperties: false },
)
export type LinkViews = Static<typeof LinkViews>

export const LinkViewsQuery = Type.Object({
  guest: Type.Optional(
    Type.String({ maxLength: 254, description: 'Only the days of this e-mail address.' }),
  ),
})
