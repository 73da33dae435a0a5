import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { startSession } from '#server/access/sessions.ts'
import { countAttempt, createThrottle } from '#server/access/throttle.ts'
import type { Db } from '#server/db/schema.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { requireRelyingParty } from '../second-factor/relying-party.ts'
import {
  type ProviderDoor,
  requireEmergencyDoor,
  tellEmergencyDoor,
} from '../sessions/password-door.ts'
import { NoContent } from '../sessions/schema.ts'
import { PasskeyOptions, PasskeySignIn } from './schema.ts'
import { signInWithPasskey, startPasskeySignIn } from './sign-in.ts'

interface PasskeySignInOptions {
  readonly db: Db
  readonly mailer: Mailer
  /** undefined: there is no identity provider. */
  readonly oidc: ProviderDoor | undefined
  /** The configured public URL of the service. */
  readonly url: string | undefined
}

const config = { scope: 'public', pages: 'own' } as const
const tags = ['Account']

/** Mounted at /api/sign_in/passkey */
export const passkeySignInRoutes: FastifyPluginAsyncTypebox<PasskeySignInOptions> = async (
  app,
  { db, mailer, oidc, url },
) => {
  const challenges = createThrottle()
  const attempts = createThrottle()

  app.post('/options', {
    config,
    schema: {
      operationId: 'startPasskeySignIn',
      summary: 'Start to sign in with a passkey',
      tags,
      response: { 200: PasskeyOptions },
    },
    handler: async (request) => {
      challenges.require(request.ip)
      challenges.countFailure(request.ip) // each takes a row until it expires
      return startPasskeySignIn(db, requireRelyingParty(request, url))
    },
  })

  app.post('', {
    config,
    schema: {
      operationId: 'signInWithPasskey',
      summary: 'Sign in with a passkey',
      description: 'Needs no password and no second step. Sets the same cookie as the password.',
      tags,
      body: PasskeySignIn,
      response: { 204: NoContent },
    },
    handler: async (request, reply) => {
      const party = requireRelyingParty(request, url)
      const userId = await countAttempt([[attempts, request.ip]], () =>
        signInWithPasskey(db, party, request.body, async (tx, user) => {
          await requireEmergencyDoor(tx, oidc, user)
          await startSession(tx, reply, user)
          return user
        }),
      )
      tellEmergencyDoor({ db, mailer }, oidc, request.log, { userId, address: request.ip })
      return sendEmpty(reply, 204)
    },
  })
}
