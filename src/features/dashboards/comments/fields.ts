import { Type } from 'typebox'
import { userField } from '#server/features/accounts/users/user-texts.ts'
import { type JsonText, plain, quoted, toJsonText } from '#server/http/json-text.ts'
import { IdInput, Time, TimeOrNull } from '#server/http/schemas.ts'
import { defineResource } from '#server/resource/resource.ts'

export const MAX_CONTENT = 10_000
/** More than a message needs; a mention of everyone would be mailed to everyone. */
export const MAX_MENTIONS = 20

/** PostHog's name of what is commented on. */
export const SCOPE = 'Dashboard'
export const Scope = Type.Unsafe<typeof SCOPE>({
  title: 'CommentScope',
  type: 'string',
  enum: [SCOPE],
  description: 'The kind of record that is commented on. Comments are on dashboards.',
})

const Context = {
  tile_id: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The tile that is commented on. null: the whole dashboard.',
  }),
  point: Type.Union([Time, Type.Null()], { description: 'A point in time of its chart.' }),
}

const ItemContext = Type.Union([
  Type.Object(Context, { title: 'CommentContext', additionalProperties: false }),
  Type.Null(),
])

export const ContextWrite = Type.Partial(
  Type.Object({
    tile_id: Type.Union([IdInput(), Type.Null()]),
    point: Type.Union([Type.String({ maxLength: 100 }), Type.Null()], {
      description: 'A point in time of the chart of the tile.',
    }),
  }),
  // other clients keep things of their own in it, which would be lost
  { title: 'CommentContextWrite', display: [] },
)
/** The users whom each comment mentions, by the ID of its row. */
interface Mentioned {
  readonly mentions: ReadonlyMap<number, readonly number[]>
}

export const commentResource = defineResource('comments', {
  id: { schema: Type.String({ format: 'uuid' }), column: 'uuid' },
  created_by: userField('created_by'),
  deleted: { schema: Type.Boolean() },
  content: { schema: Type.String(), write: Type.String() },
  rich_content: {
    schema: Type.Null({ description: 'Always null: the content is plain text.' }),
    read: () => null,
  },
  version: { schema: Type.Integer({ description: 'Increases with every edit.' }) },
  created_at: { schema: Time },
  item_id: {
    schema: Type.String({ description: 'ID of the dashboard.' }),
    read: ({ dashboard_id }: { readonly dashboard_id: number }) => plain(String(dashboard_id)),
  },
  item_context: { schema: ItemContext, read: toItemContext },
  scope: { schema: Scope, read: () => plain(SCOPE) },
  source_comment: {
    schema: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
      description: 'The comment that begins the thread. null: this one does.',
    }),
    read: ({ thread_uuid }: { readonly thread_uuid: string | null }) => quoted(thread_uuid),
  },
  is_task: { schema: Type.Boolean({ description: 'Always false.' }), read: () => false },
  completed_at: { schema: TimeOrNull },
  completed_by: userField('completed_by'),
  mentions: {
    schema: Type.Array(Type.Integer(), { description: 'IDs of the mentioned users.' }),
    read: ({ id }: { readonly id: number }, { mentions }: Mentioned) =>
      toJsonText(mentions.get(id) ?? []),
  },
})

function toItemContext({
  tile_id,
  point,
}: {
  readonly tile_id: number | null
  readonly point: string | null
}): JsonText | null {
  return tile_id === null && point === null ? null : toJsonText({ tile_id, point })
}
