import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { startSession } from '#server/access/sessions.ts'
import type { Db } from '#server/db/schema.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { NoContent, SetUp } from '../accounts/sessions/schema.ts'
import { setUpOwner } from './set-up.ts'

/** Mounted at /api */
export const setUpRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.post('/set_up', {
    config: { scope: 'public', pages: 'own' },
    schema: {
      operationId: 'setUp',
      summary: 'Set up the owner account with the link of the first start',
      description: 'Works once, and starts a session.',
      tags: ['Account'],
      body: SetUp,
      response: { 204: NoContent },
    },
    handler: async (request, reply) => {
      const userId = await setUpOwner(db, request.body)
      await startSession(db, reply, userId)
      return sendEmpty(reply, 204)
    },
  })
}
