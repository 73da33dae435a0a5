import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { sendEmpty } from '#server/http/negotiation.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { type SecondFactorEvent, tellSecondFactorEvent } from '../second-factor/mail.ts'
import { NoContent } from '../sessions/schema.ts'
import type { PasswordThrottle } from '../sessions/sign-in.ts'
import { toAccountCaller } from './account.ts'
import {
  confirmSecondFactor,
  getSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  type SecondFactorDeps,
  startSecondFactor,
} from './second-factor.ts'
import {
  RecoveryCodes,
  SecondFactor,
  SecondFactorConfirm,
  SecondFactorKey,
  SecondFactorProof,
  SecondFactorStart,
} from './second-factor-schema.ts'

export interface SecondFactorRoutesOptions extends SecondFactorDeps {
  readonly mailer: Mailer
  readonly throttle: PasswordThrottle
}

const config = { scope: 'account', viewers: true, withoutSecondFactor: true } as const
const tags = ['Account']

/** Mounted at /api/users/@me/second_factor */
export const secondFactorRoutes: FastifyPluginAsyncTypebox<SecondFactorRoutesOptions> = async (
  app,
  { mailer, throttle, ...deps },
) => {
  const { db } = deps
  const toCaller = (request: FastifyRequest) => toAccountCaller(request, throttle)
  const tell = ({ log, principal }: FastifyRequest, event: SecondFactorEvent) =>
    tellSecondFactorEvent({ db, mailer }, log, principal.userId, event)

  app.get('', {
    config,
    schema: {
      operationId: 'getSecondFactor',
      summary: 'Get the state of your second factor',
      tags,
      response: { 200: SecondFactor },
    },
    handler: ({ principal }) => getSecondFactor(db, principal),
  })

  app.post('', {
    config,
    schema: {
      operationId: 'startSecondFactor',
      summary: 'Start to set up an authenticator app as your second factor',
      description:
        'Returns the secret, which is shown only once. It is in use after a code of it was confirmed; until then nothing changes. Requests with API keys never need a code.',
      tags,
      body: SecondFactorStart,
      response: { 201: SecondFactorKey },
    },
    handler: async (request, reply) => {
      reply.code(201)
      return startSecondFactor(deps, toCaller(request), request.body)
    },
  })

  app.post('/confirm', {
    config,
    schema: {
      operationId: 'confirmSecondFactor',
      summary: 'Confirm the authenticator app with a code, and get recovery codes',
      description:
        'From now on signing in with the password needs a code. Ends your other sessions.',
      tags,
      body: SecondFactorConfirm,
      response: { 200: RecoveryCodes, 409: Conflict },
    },
    handler: async (request) => {
      const { recovery_codes, isReplaced } = await confirmSecondFactor(
        deps,
        toCaller(request),
        request.body.code,
      )
      tell(request, isReplaced ? 'replaced' : 'added')
      return { recovery_codes }
    },
  })

  app.post('/recovery_codes', {
    config,
    schema: {
      operationId: 'replaceRecoveryCodes',
      summary: 'Replace your recovery codes',
      tags,
      body: SecondFactorProof,
      response: { 200: RecoveryCodes, 409: Conflict },
    },
    handler: async (request) => {
      const codes = await replaceRecoveryCodes(deps, toCaller(request), request.body)
      tell(request, 'newCodes')
      return codes
    },
  })

  app.post('/remove', {
    config,
    schema: {
      operationId: 'removeSecondFactor',
      summary: 'Remove your second factor and its recovery codes',
      description: 'Ends your other sessions.',
      tags,
      body: SecondFactorProof,
      response: { 204: NoContent, 409: Conflict },
    },
    handler: async (request, reply) => {
      await removeSecondFactor(deps, toCaller(request), request.body)
      tell(request, 'removed')
      return sendEmpty(reply, 204)
    },
  })
}
