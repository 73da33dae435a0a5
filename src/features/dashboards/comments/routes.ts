import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusedDelete } from '#server/access/refused-delete.ts'
import type { PageRange } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { sendJson } from '#server/http/json-text.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { PageQuery, pageJson, pageSchema } from '#server/http/page.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import { mailInBackground } from '#server/mail/in-background.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { completeThread, createComment, patchComment, type Written } from './comments.ts'
import { countMatching, getComment, listComments, listThread } from './find-comments.ts'
import { createMentionThrottle, mailMentions, requireFewMentions } from './mention-mail.ts'
import {
  Comment,
  CommentCount,
  CommentCreate,
  CommentFilters,
  CommentParams,
  CommentPatch,
  CommentQuery,
} from './schema.ts'

const tags = ['Comments']
const params = CommentParams
const unappliedFilters = ['cursor', 'kind']

export interface CommentRoutesOptions {
  readonly db: Db
  readonly mailer: Mailer
  /** The public URL of the service. */
  readonly url: string | undefined
}

/** Mounted at /api/projects/:project_id/comments */
export const commentRoutes: FastifyPluginAsyncTypebox<CommentRoutesOptions> = async (
  app,
  { db, mailer, url },
) => {
  const throttle = createMentionThrottle()

  app.get('', {
    config: { scope: 'comment:read', viewers: true, unappliedFilters },
    schema: {
      operationId: 'listComments',
      summary: 'List comments on dashboards, the newest first',
      tags,
      params: ProjectOnlyParams,
      querystring: CommentQuery,
      response: { 200: pageSchema(Comment) },
    },
    handler: async (request, reply) => {
      const list = (range: PageRange) => listComments(db, request.caller, request.query, range)
      return sendJson(reply, await pageJson(request, list))
    },
  })

  app.post('', {
    config: { scope: 'comment:write', viewers: true },
    schema: {
      operationId: 'createComment',
      summary: 'Comment on a dashboard, or reply to a comment',
      description:
        'A comment needs `scope` and `item_id`, a reply only `source_comment`. Mentioned users see it in the app and get a mail.',
      tags,
      params: ProjectOnlyParams,
      body: CommentCreate,
      response: { 201: Comment, 409: Conflict },
    },
    handler: async (request, reply) => {
      requireFewMentions(throttle, request.caller.userId, request.body.mentions)
      const written = await createComment(db, request.caller, request.body)
      return sendWritten(request, reply, written, 201)
    },
  })

  app.get('/count', {
    config: { scope: 'comment:read', viewers: true, unappliedFilters: ['kind'] },
    schema: {
      operationId: 'countComments',
      summary: 'Count comments',
      tags,
      params: ProjectOnlyParams,
      querystring: CommentFilters,
      response: { 200: CommentCount },
    },
    handler: async ({ caller, query }) => ({ count: await countMatching(db, caller, query) }),
  })

  app.get('/:id', {
    config: { scope: 'comment:read', viewers: true },
    schema: {
      operationId: 'getComment',
      summary: 'Get a comment',
      tags,
      params,
      response: { 200: Comment },
    },
    handler: async ({ caller, params: { id } }, reply) =>
      sendJson(reply, await getComment(db, caller, id)),
  })

  app.patch('/:id', {
    config: { scope: 'comment:write', viewers: true },
    schema: {
      operationId: 'updateComment',
      summary: 'Edit or delete your comment',
      description: 'Changes only the fields sent. Admins can delete the comments of others.',
      tags,
      params,
      body: CommentPatch,
      response: { 200: Comment },
    },
    handler: async (request, reply) => {
      requireFewMentions(throttle, request.caller.userId, request.body.mentions)
      const patch = { id: request.params.id, body: request.body }
      return sendWritten(request, reply, await patchComment(db, request.caller, patch), 200)
    },
  })

  app.delete(
    '/:id',
    refusedDelete({ scope: 'comment:write', operationId: 'deleteComment', tags, params }),
  )

  app.get('/:id/thread', {
    config: { scope: 'comment:read', viewers: true, unappliedFilters: ['cursor'] },
    schema: {
      operationId: 'listCommentThread',
      summary: 'List the replies of a thread, the newest first',
      tags,
      params,
      querystring: PageQuery,
      response: { 200: pageSchema(Comment) },
    },
    handler: async (request, reply) => {
      const list = (range: PageRange) => listThread(db, request.caller, request.params.id, range)
      return sendJson(reply, await pageJson(request, list))
    },
  })

  for (const [action, isCompleted, summary] of [
    ['complete', true, 'Resolve a thread'],
    ['reopen', false, 'Reopen a resolved thread'],
  ] as const) {
    app.post(`/:id/${action}`, {
      config: { scope: 'comment:write' },
      schema: {
        operationId: `${action}Comment`,
        summary,
        tags,
        params,
        response: { 200: Comment },
      },
      handler: async ({ caller, params: { id } }, reply) =>
        sendJson(reply, await completeThread(db, caller, { id, isCompleted })),
    })
  }

  function sendWritten(
    { caller, log }: FastifyRequest,
    reply: FastifyReply,
    written: Written,
    status: number,
  ): FastifyReply {
    mailInBackground(log, 'Mentions in a comment were not mailed', () =>
      mailMentions({ db, mailer, url }, caller, written),
    )
    return sendJson(reply, written.comment, status)
  }
}
