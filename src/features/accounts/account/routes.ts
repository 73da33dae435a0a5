import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { usedHttps } from '#server/access/cookies.ts'
import { rememberDevice } from '#server/access/device-cookie.ts'
import type { Db } from '#server/db/schema.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { Me } from '../projects/schema.ts'
import { NoContent } from '../sessions/schema.ts'
import type { PasswordThrottle } from '../sessions/sign-in.ts'
import { changePassword, patchMe, toAccountCaller } from './account.ts'
import { MePatch, PasswordChange } from './schema.ts'

export interface AccountRoutesOptions {
  readonly db: Db
  readonly throttle: PasswordThrottle
}

/** Mounted at /api/users/@me */
export const accountRoutes: FastifyPluginAsyncTypebox<AccountRoutesOptions> = async (
  app,
  { db, throttle },
) => {
  const toCaller = (request: FastifyRequest) => toAccountCaller(request, throttle)

  app.patch('', {
    config: { scope: 'account', viewers: true },
    schema: {
      operationId: 'updateMe',
      summary: 'Update your name, e-mail or current project',
      tags: ['Account'],
      body: MePatch,
      response: { 200: Me },
    },
    handler: (request) => patchMe(db, toCaller(request), request.body),
  })

  app.post('/password', {
    config: { scope: 'account', viewers: true },
    schema: {
      operationId: 'changePassword',
      summary: 'Change your password and end your other sessions',
      tags: ['Account'],
      body: PasswordChange,
      response: { 204: NoContent },
    },
    handler: async (request, reply) => {
      const { isSession, userId } = request.principal
      await changePassword(db, toCaller(request), request.body)
      if (isSession) await rememberDevice(db, reply, userId, usedHttps(request))
      return sendEmpty(reply, 204)
    },
  })
}
