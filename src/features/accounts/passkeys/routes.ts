import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { sendEmpty } from '#server/http/negotiation.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { toAccountCaller } from '../account/account.ts'
import { tellSecondFactorEvent } from '../second-factor/mail.ts'
import { findRelyingParty, requireRelyingParty } from '../second-factor/relying-party.ts'
import { NoContent } from '../sessions/schema.ts'
import type { PasswordThrottle } from '../sessions/sign-in.ts'
import {
  createPasskey,
  listPasskeys,
  type PasskeyDeps,
  removePasskey,
  startRegistration,
} from './passkeys.ts'
import {
  CreatedPasskey,
  PasskeyCreate,
  PasskeyList,
  PasskeyOptions,
  PasskeyParams,
  PasskeyProof,
} from './schema.ts'

export interface PasskeyRoutesOptions extends PasskeyDeps {
  readonly mailer: Mailer
  readonly throttle: PasswordThrottle
  /** The configured public URL of the service. */
  readonly url: string | undefined
}

const config = { scope: 'account', viewers: true, withoutSecondFactor: true } as const
const tags = ['Account']

/** Mounted at /api/users/@me/passkeys */
export const passkeyRoutes: FastifyPluginAsyncTypebox<PasskeyRoutesOptions> = async (
  app,
  { mailer, throttle, url, ...deps },
) => {
  const { db } = deps
  const toCaller = (request: FastifyRequest) => toAccountCaller(request, throttle)
  const tell = ({ log, principal }: FastifyRequest, event: 'passkeyAdded' | 'passkeyRemoved') =>
    tellSecondFactorEvent({ db, mailer }, log, principal.userId, event)

  app.get('', {
    config,
    schema: {
      operationId: 'listPasskeys',
      summary: 'List your passkeys, oldest first',
      tags,
      response: { 200: PasskeyList },
    },
    handler: async (request) => ({
      results: await listPasskeys(db, request.principal.userId),
      is_available: findRelyingParty(request, url) !== undefined,
    }),
  })

  app.post('/options', {
    config,
    schema: {
      operationId: 'startPasskey',
      summary: 'Start to create a passkey',
      tags,
      body: PasskeyProof,
      response: { 200: PasskeyOptions, 409: Conflict },
    },
    handler: (request) =>
      startRegistration(deps, toCaller(request), requireRelyingParty(request, url), request.body),
  })

  app.post('', {
    config,
    schema: {
      operationId: 'createPasskey',
      summary: 'Create a passkey',
      description:
        'It signs in without a password, and counts as a second factor: the password alone no longer signs in. The first second factor ends your other sessions.',
      tags,
      body: PasskeyCreate,
      response: { 201: CreatedPasskey, 409: Conflict },
    },
    handler: async (request, reply) => {
      const party = requireRelyingParty(request, url)
      const created = await createPasskey(deps, toCaller(request), party, request.body)
      tell(request, 'passkeyAdded')
      reply.code(201)
      return created
    },
  })

  app.post('/:id/remove', {
    config,
    schema: {
      operationId: 'removePasskey',
      summary: 'Delete a passkey',
      description: 'Ends your other sessions. With the last second factor, recovery codes end too.',
      tags,
      params: PasskeyParams,
      body: PasskeyProof,
      response: { 204: NoContent, 409: Conflict },
    },
    handler: async (request, reply) => {
      await removePasskey(deps, toCaller(request), request.params.id, request.body)
      tell(request, 'passkeyRemoved')
      return sendEmpty(reply, 204)
    },
  })
}
