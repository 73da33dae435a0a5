import { type Static, Type } from 'typebox'
import { CAN_VIEW, ONLY_COLLABORATORS_CAN_EDIT } from '#model/levels.ts'
import { integerId, ProjectId } from '#server/http/params.ts'
import { AnyObject } from '#server/http/schemas.ts'
import { SectionOrNull } from '../tiles/schema.ts'

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

export const SharingParams = Type.Object({
  project_id: ProjectId,
  dashboard_id: integerId('a dashboard'),
})

const SharedInsight = Type.Object(
  {
    short_id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    query: Type.Unsafe<Record<string, unknown>>({
      ...AnyObject,
      description: 'Only the fields that say how the result is displayed.',
    }),
    last_refresh: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    is_cached: Type.Boolean(),
    result: Type.Unknown(),
    columns: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'The column names of a table.',
    }),
    is_computing: Type.Boolean({ description: 'A newer result is being computed.' }),
    marks: Type.Array(
      Type.Object(
        { at: Type.String(), text: Type.String() },
        { title: 'ChartMark', additionalProperties: false },
      ),
      { description: 'Annotations on the time axis, in the time zone of the project.' },
    ),
  },
  { title: 'SharedInsight', additionalProperties: false },
)

const SharedTile = Type.Object(
  {
    id: Type.Integer(),
    layouts: AnyObject,
    color: Type.Union([Type.String(), Type.Null()]),
    section: SectionOrNull,
    insight: Type.Union([SharedInsight, Type.Null()]),
    text: Type.Union([
      Type.Object({ body: Type.String() }, { title: 'SharedText', additionalProperties: false }),
      Type.Null(),
    ]),
    order: Type.Integer(),
  },
  { title: 'SharedTile', additionalProperties: false },
)

export const SharedDashboard = Type.Object(
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
      description: 'Always empty: their values are not public.',
    }),
    tags: Type.Array(Type.String()),
    tiles: Type.Array(SharedTile),
    effective_restriction_level: Type.Literal(ONLY_COLLABORATORS_CAN_EDIT),
    effective_privilege_level: Type.Literal(CAN_VIEW),
  },
  { title: 'SharedDashboard', additionalProperties: false },
)
export type SharedDashboard = Static<typeof SharedDashboard>

/** Everything that a link makes public of a dashboard or of an insight: no users, other dashboards or links. */
export const SharedScene = Type.Object(
  {
    type: Type.Literal('scene'),
    dashboard: Type.Optional(SharedDashboard),
    insight: Type.Optional(SharedInsight),
  },
  { title: 'SharedScene', additionalProperties: false },
)
export type SharedScene = Static<typeof SharedScene>
