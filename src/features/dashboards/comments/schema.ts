import { type Static, Type } from 'typebox'
import { UserOrNull } from '#server/features/accounts/users/schema.ts'
import { PageQuery } from '#server/http/page.ts'
import { ProjectId, uuidParam } from '#server/http/params.ts'
import { IdInput, Time, TimeOrNull } from '#server/http/schemas.ts'
import { ContextWrite, commentResource, MAX_MENTIONS, Scope } from './fields.ts'

export const Comment = Type.Object(commentResource.item, {
  title: 'Comment',
  additionalProperties: false,
})
export type Comment = Static<typeof Comment>

const content = Type.String({ maxLength: 40_000, description: 'Plain text.' })
const mentions = Type.Array(IdInput(), {
  maxItems: MAX_MENTIONS,
  description: 'IDs of users to tell about it, who must have access to the project.',
})
const rich_content = Type.Null({ description: 'Only null: the content is plain text.' })
const ItemId = Type.Union([IdInput(), Type.String({ maxLength: 16 })], {
  description: 'ID of the dashboard.',
})

export const CommentCreate = Type.Object(
  {
    content,
    scope: Type.Optional(Scope),
    item_id: Type.Optional(ItemId),
    item_context: Type.Optional(Type.Union([ContextWrite, Type.Null()])),
    source_comment: Type.Optional(
      Type.Union([Type.String({ maxLength: 36 }), Type.Null()], {
        description: 'The comment to reply to. The dashboard is that of the comment.',
      }),
    ),
    mentions: Type.Optional(mentions),
    rich_content: Type.Optional(rich_content),
    is_task: Type.Optional(Type.Boolean({ description: 'Only false: there are no tasks.' })),
  },
  { title: 'CommentCreate' },
)
export type CommentCreate = Static<typeof CommentCreate>

export const CommentPatch = Type.Partial(
  Type.Object({
    content,
    mentions,
    rich_content,
    deleted: Type.Boolean({
      description: 'true deletes the comment, and its replies with it; false restores it.',
    }),
  }),
  { title: 'CommentPatch' },
)
export type CommentPatch = Static<typeof CommentPatch>

const Completed = Type.Unsafe<'any' | 'open' | 'completed'>({
  title: 'CommentState',
  type: 'string',
  enum: ['any', 'open', 'completed'],
  description: 'Only comments of threads that are open or resolved.',
})

const filters = {
  scope: Type.Optional(Scope),
  item_id: Type.Optional(ItemId),
  source_comment: Type.Optional(
    Type.String({ maxLength: 36, description: 'Only replies to this comment.' }),
  ),
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Text in the content.' })),
  completed: Type.Optional(Completed),
}
export const CommentFilters = Type.Object(filters)
export type CommentFilters = Static<typeof CommentFilters>

export const CommentQuery = Type.Object({ ...PageQuery.properties, ...filters })

export const CommentCount = Type.Object(
  { count: Type.Integer() },
  { title: 'CommentCount', additionalProperties: false },
)

export const CommentParams = Type.Object({ project_id: ProjectId, id: uuidParam('a comment') })

export const Mention = Type.Object(
  {
    id: Type.Integer(),
    comment: Type.Object(
      {
        id: Type.String({ format: 'uuid' }),
        content: Type.String(),
        created_by: UserOrNull,
        created_at: Time,
      },
      { title: 'MentioningComment', additionalProperties: false },
    ),
    dashboard: Type.Object(
      { id: Type.Integer(), name: Type.String() },
      { title: 'MentionDashboard', additionalProperties: false },
    ),
    project: Type.Object(
      { id: Type.Integer(), name: Type.String() },
      { title: 'MentionProject', additionalProperties: false },
    ),
    created_at: Time,
    read_at: TimeOrNull,
  },
  { title: 'Mention', additionalProperties: false },
)
export type Mention = Static<typeof Mention>

export const MentionQuery = Type.Object({
  ...PageQuery.properties,
  unread: Type.Optional(Type.Boolean({ description: 'true lists only those not read yet.' })),
})

export const MentionsRead = Type.Object(
  {
    ids: Type.Optional(
      Type.Array(IdInput(), { maxItems: 1000, description: 'Default: all mentions.' }),
    ),
  },
  { title: 'MentionsRead' },
)
