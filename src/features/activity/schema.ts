import { type Static, Type } from 'typebox'

export const Change = Type.Object(
  {
    type: Type.String(),
    action: Type.String({ description: '`created`, `changed` or `deleted`.' }),
    field: Type.Union([Type.String(), Type.Null()]),
    before: Type.Unknown(),
    after: Type.Unknown(),
  },
  { title: 'Change', additionalProperties: false },
)
export type Change = Static<typeof Change>

const Trigger = Type.Object(
  { job_type: Type.String(), job_id: Type.String(), payload: Type.Unknown() },
  { title: 'Trigger', additionalProperties: false },
)

const Detail = Type.Object(
  {
    name: Type.String(),
    changes: Type.Union([Type.Array(Change), Type.Null()]),
    trigger: Type.Union([Trigger, Type.Null()]),
    type: Type.Null(),
    short_id: Type.Null(),
  },
  { title: 'ActivityDetail', additionalProperties: false },
)
export type Detail = Static<typeof Detail>

export const Activity = Type.Object(
  {
    id: Type.Integer(),
    user: Type.Object({
      first_name: Type.String(),
      email: Type.Union([Type.String(), Type.Null()]),
    }),
    activity: Type.String(),
    scope: Type.String(),
    item_id: Type.String(),
    detail: Detail,
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Activity', additionalProperties: false },
)
export type Activity = Static<typeof Activity>
