import { type Static, Type } from 'typebox'
import { PageQuery } from '#server/http/page.ts'
import { ProjectId } from '#server/http/params.ts'

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
    user: Type.Object(
      { first_name: Type.String(), email: Type.Union([Type.String(), Type.Null()]) },
      { title: 'ActivityUser' },
    ),
    activity: Type.String(),
    scope: Type.String(),
    item_id: Type.String(),
    detail: Detail,
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Activity', additionalProperties: false },
)
export type Activity = Static<typeof Activity>

const KINDS = [
  'dashboard',
  'insight',
  'import_app',
  'app',
  'project',
  'person',
  'cohort',
  'action',
] as const

const Item = Type.Object(
  {
    kind: Type.Unsafe<(typeof KINDS)[number]>({
      title: 'ActivityItemKind',
      type: 'string',
      enum: KINDS,
      description: 'Kind of page that shows the item: for an alert, its insight.',
    }),
    id: Type.String({ description: 'For insights, the `short_id`.' }),
    name: Type.String({ description: 'Current name.' }),
  },
  { title: 'ActivityItem', additionalProperties: false },
)
export type Item = Static<typeof Item>

export const LoggedActivity = Type.Object(
  {
    ...Activity.properties,
    item: Type.Union([Item, Type.Null()], {
      description: 'The item. null: deleted or in the trash.',
    }),
  },
  { title: 'LoggedActivity', additionalProperties: false },
)
export type LoggedActivity = Static<typeof LoggedActivity>

export const ActivityLogQuery = Type.Object({
  ...PageQuery.properties,
  scope: Type.Optional(
    Type.String({ description: 'Only items of this kind: `Dashboard`, `PluginConfig`, ...' }),
  ),
  item_id: Type.Optional(Type.String({ description: 'Only items with this `item_id`.' })),
  user: Type.Optional(
    Type.String({ description: 'Only by this user (ID or UUID), or by `system`.' }),
  ),
  activity: Type.Optional(Type.String({ description: 'Only this activity, such as `created`.' })),
  after: Type.Optional(Type.String({ description: 'Only after this time.' })),
  before: Type.Optional(Type.String({ description: 'Only before this time.' })),
  search: Type.Optional(
    Type.String({ description: 'Only items whose name at the time contained this text.' }),
  ),
})
export type ActivityLogQuery = Static<typeof ActivityLogQuery>

export const ActivityParams = Type.Object({ project_id: ProjectId })
