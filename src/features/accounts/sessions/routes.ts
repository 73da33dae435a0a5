import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readDeviceCookie } from '#server/access/device-cookie.ts'
import { clearSessionCookie } from '#server/access/session-cookie.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { invalid } from '#server/errors.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { PageQuery, page, pageSchema } from '#server/http/page.ts'
import { mailInBackground } from '#server/mail/in-background.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { tellSecondFactorEvent } from '../second-factor/mail.ts'
import { findRelyingParty } from '../second-factor/relying-party.ts'
import type { CodeThrottle } from '../second-factor/use-code.ts'
import { hasUsableToken } from './one-time-tokens-store.ts'
import { type ProviderDoor, requireEmergencyDoor, tellEmergencyDoor } from './password-door.ts'
import { createResetThrottle, mailResetLink, requireFewRequests } from './reset-mail.ts'
import {
  NoContent,
  PasswordReset,
  PasswordResetRequest,
  SecondStep,
  SecondStepCode,
  Session,
  SessionParams,
  SignIn,
  SignInMethods,
} from './schema.ts'
import { passFirstStep, passSecondStep, sendFirstStep } from './second-step.ts'
import { endAllSessions, endSession, resetPassword } from './sessions.ts'
import { type PasswordThrottle, signIn } from './sign-in.ts'
import { listSessions } from './store.ts'

const tags = ['Account']

export interface SessionRoutesOptions {
  readonly db: Db
  readonly secrets: Secrets
  readonly throttle: PasswordThrottle
  readonly codeThrottle: CodeThrottle
  /** The OIDC provider; undefined: none. */
  readonly oidc: ProviderDoor | undefined
  readonly mailer: Mailer
  /** The public URL; undefined: not configured, and a `Host` header can name any server. */
  readonly url: string | undefined
}

/** Mounted at /api */
export const sessionRoutes: FastifyPluginAsyncTypebox<SessionRoutesOptions> = async (
  app,
  { db, secrets, throttle, codeThrottle, oidc, mailer, url },
) => {
  const proceed = (reply: FastifyReply) => async (tx: Tx, userId: number) => {
    await requireEmergencyDoor(tx, oidc, userId)
    const step = await passFirstStep(tx, reply, userId)
    if (!step) tellOfEmergency(reply.request, userId)
    return step
  }
  const tellOfEmergency = ({ log, ip }: FastifyRequest, userId: number) =>
    tellEmergencyDoor({ db, mailer }, oidc, log, { userId, address: ip })
  const resetThrottle = createResetThrottle()
  const mailsResetLinks = mailer.isConfigured && url !== undefined

  app.get('/sign_in', {
    config: { scope: 'public' },
    schema: {
      operationId: 'getSignInMethods',
      summary: 'Get the available sign-in methods',
      tags,
      response: { 200: SignInMethods },
    },
    handler: async (request) => ({
      oidc: oidc ? { name: oidc.name, is_only: oidc.isOnly } : null,
      mails_reset_links: mailsResetLinks,
      sends_mail: mailer.isConfigured,
      passkeys: findRelyingParty(request, url) !== undefined,
      needs_set_up: await hasUsableToken(db, 'set_up'),
    }),
  })

  app.post('/sign_in', {
    config: { scope: 'public', pages: 'own' },
    schema: {
      operationId: 'signIn',
      summary: 'Sign in with e-mail and password',
      description:
        'Sets the cookie `hedgerow_session`, over HTTPS `__Host-hedgerow_session`. With a second factor, the response is 200, there is no session yet, and the cookie only allows the second step.',
      tags,
      body: SignIn,
      response: { 200: SecondStep, 204: NoContent },
    },
    handler: async (request, reply) => {
      const deviceCookie = readDeviceCookie(request)
      const attempt = { ...request.body, address: request.ip, deviceCookie }
      const step = await signIn({ db, throttle }, attempt, proceed(reply))
      return sendFirstStep(reply, step)
    },
  })

  app.post('/sign_in/second_step', {
    config: { scope: 'public', pages: 'own' },
    schema: {
      operationId: 'passSecondStep',
      summary: 'Finish signing in with a code of your second factor',
      description: 'Each code works once. Sets the same cookie as signing in without one.',
      tags,
      body: SecondStepCode,
      response: { 204: NoContent },
    },
    handler: async (request, reply) => {
      const deps = { db, secrets, codeThrottle }
      const { userId, kind } = await passSecondStep(deps, request, reply, request.body.code)
      if (kind === 'recovery')
        tellSecondFactorEvent({ db, mailer }, request.log, userId, 'codeUsed')
      tellOfEmergency(request, userId)
      return sendEmpty(reply, 204)
    },
  })

  app.post('/sign_out', {
    config: { scope: 'account', viewers: true, withoutSecondFactor: true },
    schema: {
      operationId: 'signOut',
      summary: 'Sign out',
      tags,
      response: { 204: NoContent },
    },
    handler: async (request, reply) => {
      const { isSession, userId, keyId } = request.principal
      if (isSession) await endSession(db, userId, keyId)
      clearSessionCookie(request, reply)
      return sendEmpty(reply, 204)
    },
  })

  app.post('/sign_out/everywhere', {
    config: { scope: 'account', viewers: true, withoutSecondFactor: true },
    schema: {
      operationId: 'signOutEverywhere',
      summary: 'Sign out everywhere',
      tags,
      response: { 204: NoContent },
    },
    handler: async (request, reply) => {
      await endAllSessions(db, request.principal.userId)
      clearSessionCookie(request, reply)
      return sendEmpty(reply, 204)
    },
  })

  app.get('/users/@me/sessions', {
    config: { scope: 'account', viewers: true },
    schema: {
      operationId: 'listSessions',
      summary: 'List your sessions, most recently used first',
      tags,
      querystring: PageQuery,
      response: { 200: pageSchema(Session) },
    },
    handler: (request) => {
      const { userId, keyId } = request.principal
      return page(request, (range) => listSessions(db, userId, keyId, range))
    },
  })

  app.delete('/users/@me/sessions/:id', {
    config: { scope: 'account', viewers: true },
    schema: {
      operationId: 'endSession',
      summary: 'Sign out one of your sessions',
      tags,
      params: SessionParams,
      response: { 204: NoContent },
    },
    handler: async (request, reply) => {
      await endSession(db, request.principal.userId, request.params.id)
      return sendEmpty(reply, 204)
    },
  })

  app.post('/reset_password/mail', {
    config: { scope: 'public', pages: 'own' },
    schema: {
      operationId: 'mailPasswordReset',
      summary: 'Mail a link to reset a forgotten password',
      description:
        'Responds the same for addresses with and without an account. The link can be used once, for an hour.',
      tags,
      body: PasswordResetRequest,
      response: { 204: NoContent },
    },
    handler: async ({ ip, body: { email }, log }, reply) => {
      if (!mailer.isConfigured || url === undefined) {
        throw invalid(null, 'This server cannot mail links. Ask your admin for one.')
      }
      requireFewRequests(resetThrottle, ip, email)
      // the time of the response must not tell whether the account exists
      mailInBackground(log, 'The mail with a reset link was not sent', () =>
        mailResetLink({ db, mailer, url, oidc }, email),
      )
      return sendEmpty(reply, 204)
    },
  })

  app.post('/reset_password', {
    config: { scope: 'public', pages: 'own' },
    schema: {
      operationId: 'resetPassword',
      summary: 'Set a new password with the token of a link',
      description:
        'Ends all sessions and starts a new one, or the second step of signing in if the account has a second factor.',
      tags,
      body: PasswordReset,
      response: { 200: SecondStep, 204: NoContent },
    },
    handler: async (request, reply) => {
      const step = await resetPassword(db, request.body, proceed(reply))
      return sendFirstStep(reply, step)
    },
  })
}
