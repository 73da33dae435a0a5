import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '#server/db/schema.ts'
import { NoContent, SecondStep, SetUp } from '../accounts/sessions/schema.ts'
import { passFirstStep, sendFirstStep } from '../accounts/sessions/second-step.ts'
import { setUpOwner } from './set-up.ts'

/** Mounted at /api */
export const setUpRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.post('/set_up', {
    config: { scope: 'public', pages: 'own' },
    schema: {
      operationId: 'setUp',
      summary: 'Set up the owner account with the link of the first start',
      description:
        'Works once, and starts a session, or the second step of signing in if the account already has a second factor.',
      tags: ['Account'],
      body: SetUp,
      response: { 200: SecondStep, 204: NoContent },
    },
    handler: async (request, reply) => {
      const step = await setUpOwner(db, request.body, (tx, userId) =>
        passFirstStep(tx, reply, userId),
      )
      return sendFirstStep(reply, step)
    },
  })
}
