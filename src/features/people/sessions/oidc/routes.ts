import { hash, randomBytes } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { readCookie, setCookie } from '#server/access/session-cookie.ts'
import { startSession } from '#server/access/sessions.ts'
import type { Db } from '#server/db/schema.ts'
import { ApiError } from '#server/errors.ts'
import { findUserByEmail } from '#server/features/people/users/store.ts'
import { originOf } from '#server/http/page.ts'
import type { Claims } from './id-token.ts'
import { OidcProblem } from './problem.ts'
import type { OidcProvider } from './provider.ts'

const COOKIE = 'hedgerow_oidc'
const PATH = '/sign-in/oidc'
const TEN_MINUTES = 600

/** What has to come back with the answer, kept by the browser that asked. */
interface Flow {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly next: string
}

export interface OidcRoutesOptions {
  readonly db: Db
  /** undefined: people sign in with passwords only. */
  readonly provider: OidcProvider | undefined
  /** Where people reach the service, if anybody has said. */
  readonly url: string | undefined
}

const CallbackQuery = Type.Object({
  code: Type.Optional(Type.String()),
  state: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
})

const hidden = { config: { scope: 'public' as const } }

/** Mounted at /sign-in/oidc: pages that a browser passes through on its way to the provider and back. */
export const oidcRoutes: FastifyPluginAsyncTypebox<OidcRoutesOptions> = async (
  app,
  { db, provider, url },
) => {
  app.get('', {
    ...hidden,
    schema: { hide: true, querystring: Type.Object({ next: Type.Optional(Type.String()) }) },
    handler: (request, reply) =>
      passThrough(request, reply, async () => {
        const flow: Flow = {
          ...{ state: newSecret(), nonce: newSecret(), verifier: newSecret() },
          next: toOwnPath(request.query.next),
        }
        const location = await requireProvider().authorizationUrl({
          ...{ redirectUri: redirectUri(request), state: flow.state, nonce: flow.nonce },
          challenge: hash('sha256', flow.verifier, 'base64url'),
        })
        keep(request, reply, Buffer.from(JSON.stringify(flow)).toString('base64url'), TEN_MINUTES)
        return location
      }),
  })

  app.get('/callback', {
    ...hidden,
    schema: { hide: true, querystring: CallbackQuery },
    handler: (request, reply) =>
      passThrough(request, reply, async () => {
        const { code, state, error } = request.query
        const flow = readFlow(request)
        keep(request, reply, '', 0)
        if (!flow || flow.state !== state) throw new OidcProblem('too_late', 'No such sign-in.')
        if (!code) throw new OidcProblem('refused', `The provider refused: ${error}.`)
        const { nonce, verifier } = flow
        const redemption = { code, redirectUri: redirectUri(request), verifier, nonce }
        const userId = await findOwner(db, await requireProvider().redeem(redemption))
        await startSession(db, request, reply, userId, isSecure(request))
        return toOwnPath(flow.next)
      }),
  })

  function requireProvider(): OidcProvider {
    if (provider) return provider
    throw new ApiError('not_found', 'Endpoint not found.')
  }

  const origin = (request: FastifyRequest) => url ?? originOf(request)
  const redirectUri = (request: FastifyRequest) => `${origin(request)}${PATH}/callback`
  const isSecure = (request: FastifyRequest) => origin(request).startsWith('https:')

  const keep = (request: FastifyRequest, reply: FastifyReply, value: string, seconds: number) =>
    setCookie(reply, COOKIE, value, { path: PATH, seconds, isSecure: isSecure(request) })
}

/** A browser is not left with JSON: what went wrong is told on the page it came from. */
async function passThrough(
  request: FastifyRequest,
  reply: FastifyReply,
  pass: () => Promise<string>,
): Promise<FastifyReply> {
  try {
    return reply.redirect(await pass())
  } catch (error) {
    if (!(error instanceof OidcProblem)) throw error
    request.log.warn({ reason: error.reason }, `OIDC sign-in: ${error.message}`)
    return reply.redirect(`/sign-in?problem=${error.reason}`)
  }
}

async function findOwner(db: Db, { email, isEmailVerified }: Claims): Promise<number> {
  // or whoever can write an address into their profile there could be anybody here
  if (!email || !isEmailVerified) throw new OidcProblem('unverified_email', 'No verified e-mail.')
  // the Kelvin sign is a k in small letters: what is no address here must not become one
  const user = ASCII.test(email) ? await findUserByEmail(db, email) : undefined
  if (!user) throw new OidcProblem('unknown_email', 'The e-mail belongs to no user.')
  return user.id
}

const ASCII = /^[\x21-\x7e]+$/

const newSecret = (): string => randomBytes(32).toString('base64url')

/** Nobody is sent elsewhere after signing in. */
const toOwnPath = (next: string | undefined): string =>
  next && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) ? next : '/'

function readFlow(request: FastifyRequest): Flow | undefined {
  try {
    const text = Buffer.from(readCookie(request, COOKIE) ?? '', 'base64url').toString()
    const { state, nonce, verifier, next } = JSON.parse(text)
    const isWhole = [state, nonce, verifier, next].every((part) => typeof part === 'string')
    return isWhole ? { state, nonce, verifier, next } : undefined
  } catch {
    return undefined
  }
}
