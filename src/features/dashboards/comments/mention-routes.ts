import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db } from '#server/db/schema.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { page, pageSchema } from '#server/http/page.ts'
import { listMentions, readMentions } from './mentions.ts'
import { Mention, MentionQuery, MentionsRead } from './schema.ts'

const tags = ['Comments']

/** Mounted at /api/users/@me/mentions */
export const mentionRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get('', {
    config: { scope: 'account', viewers: true },
    schema: {
      operationId: 'listMentions',
      summary: 'List the comments that mention you, the newest first',
      tags,
      querystring: MentionQuery,
      response: { 200: pageSchema(Mention) },
    },
    handler: (request) => {
      const filters = { unread: request.query.unread === true }
      return page(request, (range) => listMentions(db, request.principal, filters, range))
    },
  })

  app.post('/read', {
    config: { scope: 'account', viewers: true },
    schema: {
      operationId: 'readMentions',
      summary: 'Mark mentions as read',
      tags,
      body: MentionsRead,
      response: { 204: Type.Null({ description: 'Done.' }) },
    },
    handler: async (request, reply) => {
      await readMentions(db, request.principal, request.body.ids)
      return sendEmpty(reply, 204)
    },
  })
}
