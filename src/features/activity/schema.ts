import { type Static, Type } from 'typebox'
import { PageQuery } from '#server/http/page.ts'

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

const KINDS = ['dashboard', 'insight', 'import_app', 'app', 'project'] as const

const Item = Type.Object(
  {
    kind: Type.Unsafe<(typeof KINDS)[number]>({
      type: 'string',
      enum: KINDS,
      description: 'What leads there: an alert is found at its insight.',
    }),
    id: Type.String({ description: 'Of an insight, its `short_id`.' }),
    name: Type.String({ description: 'What it is called now.' }),
  },
  { title: 'ActivityItem', additionalProperties: false },
)
export type Item = Static<typeof Item>

export const LoggedActivity = Type.Object(
  {
    ...Activity.properties,
    item: Type.Union([Item, Type.Null()], {
      description: 'Where to find what it is about. null: it is gone, or in the trash.',
    }),
  },
  { title: 'LoggedActivity', additionalProperties: false },
)
export type LoggedActivity = Static<typeof LoggedActivity>

export const ActivityLogQuery = Type.Object({
  ...PageQuery.properties,
  scope: Type.Optional(
    Type.String({ description: 'Only of this kind of thing: `Dashboard`, `PluginConfig`, ...' }),
  ),
  item_id: Type.Optional(Type.String({ description: 'Only of things with this `item_id`.' })),
  user: Type.Optional(
    Type.String({ description: 'Only by this user (id or UUID), or by nobody: `system`.' }),
  ),
  activity: Type.Optional(Type.String({ description: 'Only this activity, as `created`.' })),
  after: Type.Optional(Type.String({ description: 'Only what happened later than this time.' })),
  before: Type.Optional(Type.String({ description: 'Only what happened before this time.' })),
  search: Type.Optional(
    Type.String({ description: 'Only of things whose name at the time held these words.' }),
  ),
})
export type ActivityLogQuery = Static<typeof ActivityLogQuery>

export const ActivityParams = Type.Object({ project_id: Type.String() })
