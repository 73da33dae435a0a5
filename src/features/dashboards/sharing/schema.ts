import { type Static, Type } from 'typebox'
import { AnyObject } from '#server/http/schemas.ts'

export const Sharing = Type.Object(
  {
    created_at: Type.String({ format: 'date-time' }),
    enabled: Type.Boolean(),
    access_token: Type.String({ description: 'The secret part of the public link.' }),
  },
  { title: 'Sharing', additionalProperties: false },
)
export type Sharing = Static<typeof Sharing>

export const SharingPatch = Type.Partial(Type.Object({ enabled: Type.Boolean() }), {
  title: 'SharingPatch',
})
export type SharingPatch = Static<typeof SharingPatch>

export const SharingParams = Type.Object({ project_id: Type.String(), dashboard_id: Type.String() })

const SharedTile = Type.Object(
  {
    id: Type.Integer(),
    layouts: AnyObject,
    color: Type.Union([Type.String(), Type.Null()]),
    insight: Type.Union([
      Type.Object(
        {
          short_id: Type.String(),
          name: Type.String(),
          description: Type.String(),
          query: Type.Unsafe<Record<string, unknown>>({
            ...AnyObject,
            description: 'Only what says how the result is drawn.',
          }),
          last_refresh: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
          is_cached: Type.Boolean(),
          result: Type.Unknown(),
          columns: Type.Union([Type.Array(Type.String()), Type.Null()], {
            description: 'Of a table.',
          }),
          is_computing: Type.Boolean({ description: 'A newer result is on its way.' }),
        },
        { title: 'SharedInsight', additionalProperties: false },
      ),
      Type.Null(),
    ]),
    text: Type.Union([
      Type.Object({ body: Type.String() }, { title: 'SharedText', additionalProperties: false }),
      Type.Null(),
    ]),
    order: Type.Integer(),
  },
  { title: 'SharedTile', additionalProperties: false },
)

/** What anybody with the link may see: nothing of people, other dashboards or links. */
export const SharedDashboard = Type.Object(
  {
    type: Type.Literal('scene'),
    dashboard: Type.Object(
      {
        id: Type.Integer(),
        name: Type.String(),
        description: Type.String(),
        created_at: Type.String({ format: 'date-time' }),
        filters: Type.Unsafe<Record<string, unknown>>({
          ...AnyObject,
          description: 'Only the dates.',
        }),
        variables: Type.Unsafe<Record<string, unknown>>({
          ...AnyObject,
          description: 'Always empty: their values are not for everybody.',
        }),
        tags: Type.Array(Type.String()),
        tiles: Type.Array(SharedTile),
        effective_restriction_level: Type.Literal(37),
        effective_privilege_level: Type.Literal(21),
      },
      { title: 'SharedScene', additionalProperties: false },
    ),
  },
  { title: 'SharedDashboard', additionalProperties: false },
)
export type SharedDashboard = Static<typeof SharedDashboard>
