import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readDeviceCookie } from '#server/access/device-cookie.ts'
import { clearSessionCookie } from '#server/access/session-cookie.ts'
import { startSession } from '#server/access/sessions.ts'
import type { Db } from '#server/db/schema.ts'
import { invalid } from '#server/errors.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { PageQuery, page, pageSchema } from '#server/http/page.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { hasUsableToken } from './one-time-tokens-store.ts'
import { createResetThrottle, mailResetLink, requireFewRequests } from './reset-mail.ts'
import {
  NoContent,
  PasswordReset,
  PasswordResetRequest,
  Session,
  SessionParams,
  SignIn,
  SignInMethods,
} from './schema.ts'
import { endAllSessions, endSession, resetPassword } from './sessions.ts'
import { type PasswordThrottle, signIn } from './sign-in.ts'
import { listSessions } from './store.ts'

const tags = ['Account']

export interface SessionRoutesOptions {
  readonly db: Db
  readonly throttle: PasswordThrottle
  /** Display name of the OIDC provider; undefined: none. */
  readonly oidcName: string | undefined
  readonly mailer: Mailer
  /** The public URL; undefined: not configured, and a `Host` header can name any server. */
  readonly url: string | undefined
}

/** Mounted at /api */
export const sessionRoutes: FastifyPluginAsyncTypebox<SessionRoutesOptions> = async (
  app,
  { db, throttle, oidcName, mailer, url },
) => {
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
    handler: async () => ({
      oidc: oidcName === undefined ? null : { name: oidcName },
      mails_reset_links: mailsResetLinks,
      needs_set_up: await hasUsableToken(db, 'set_up'),
    }),
  })

  app.post('/sign_in', {
    config: { scope: 'public', pages: 'own' },
    schema: {
      operationId: 'signIn',
      summary: 'Sign in with e-mail and password',
      description: 'Sets the cookie `hedgerow_session`, over HTTPS `__Host-hedgerow_session`.',
      tags,
      body: SignIn,
      response: { 204: NoContent },
    },
    handler: async (request, reply) => {
      const deviceCookie = readDeviceCookie(request)
      const attempt = { ...request.body, address: request.ip, deviceCookie }
      await signIn({ db, throttle }, attempt, (tx, userId) => startSession(tx, reply, userId))
      return sendEmpty(reply, 204)
    },
  })

  app.post('/sign_out', {
    config: { scope: 'account' },
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
    config: { scope: 'account' },
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
    config: { scope: 'account' },
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
    config: { scope: 'account' },
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
      // after the response, whose time must not tell whether the account exists
      setImmediate(() =>
        mailResetLink({ db, mailer, url }, email).then(
          (problem) => problem && log.warn({ problem }, 'The mail with a reset link was not sent'),
          (err) => log.error({ err }, 'The mail with a reset link was not sent'),
        ),
      )
      return sendEmpty(reply, 204)
    },
  })

  app.post('/reset_password', {
    config: { scope: 'public', pages: 'own' },
    schema: {
      operationId: 'resetPassword',
      summary: 'Set a new password with the token of a link',
      description: 'Ends all sessions and starts a new one.',
      tags,
      body: PasswordReset,
      response: { 204: NoContent },
    },
    handler: async (request, reply) => {
      const userId = await resetPassword(db, request.body)
      await startSession(db, reply, userId)
      return sendEmpty(reply, 204)
    },
  })
}
