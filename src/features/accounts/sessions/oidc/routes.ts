import { randomBytes } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { readCookie, setCookie } from '#server/access/cookies.ts'
import { startSession } from '#server/access/sessions.ts'
import { ApiError } from '#server/errors.ts'
import { requestOrigin } from '#server/http/page.ts'
import { type AdmitDeps, admitUser } from './admit-user.ts'
import { OidcProblem, type OidcProvider } from './provider.ts'

const COOKIE = 'hedgerow_oidc'
const PATH = '/sign-in/oidc'
const TEN_MINUTES = 600

/** Kept in a cookie of the browser until the provider sends it back. */
interface SignInFlow {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly next: string
}

export interface OidcRoutesOptions extends Omit<AdmitDeps, 'settings'> {
  /** undefined: users sign in with passwords only. */
  readonly provider: OidcProvider | undefined
  /** undefined: there is no provider. */
  readonly settings: AdmitDeps['settings'] | undefined
  /** The configured public URL of the service. */
  readonly url: string | undefined
}

const CallbackQuery = Type.Object({
  code: Type.Optional(Type.String()),
  state: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
})

const hidden = { config: { scope: 'public' as const } }

/** Mounted at /sign-in/oidc: redirects the browser to the provider and back. */
export const oidcRoutes: FastifyPluginAsyncTypebox<OidcRoutesOptions> = async (
  app,
  { db, provider, settings = { createsUsers: false, domains: [] }, groupRules, url },
) => {
  app.get('', {
    ...hidden,
    schema: { hide: true, querystring: Type.Object({ next: Type.Optional(Type.String()) }) },
    handler: (request, reply) =>
      redirectTo(request, reply, async () => {
        const flow: SignInFlow = {
          state: newSecret(),
          nonce: newSecret(),
          verifier: newSecret(),
          next: toOwnPath(request.query.next),
        }
        const { state, nonce, verifier } = flow
        const location = await requireProvider().authorizationUrl({
          redirectUri: toRedirectUri(request),
          state,
          nonce,
          verifier,
        })
        const value = Buffer.from(JSON.stringify(flow)).toString('base64url')
        setFlowCookie(request, reply, value, TEN_MINUTES)
        return location
      }),
  })

  app.get('/callback', {
    ...hidden,
    schema: { hide: true, querystring: CallbackQuery },
    handler: (request, reply) =>
      redirectTo(request, reply, async () => {
        const { code, state, error } = request.query
        const flow = readFlow(request)
        setFlowCookie(request, reply, '', 0)
        if (!flow || flow.state !== state) {
          throw new OidcProblem('too_late', 'This browser has not started this sign-in.')
        }
        if (!code) throw new OidcProblem('refused', `The provider refused: ${error}.`)
        const { nonce, verifier } = flow
        const url = new URL(toRedirectUri(request))
        url.search = new URL(request.url, url).search
        const claims = await requireProvider().exchangeCode({ url, state, nonce, verifier })
        const userId = await admitUser({ db, settings, groupRules }, claims)
        // a second factor of ours is not asked for: the provider has its own
        const session = { isSecure: isSecure(request), isFromProvider: true }
        await startSession(db, reply, userId, session)
        return toOwnPath(flow.next)
      }),
  })

  function requireProvider(): OidcProvider {
    if (provider) return provider
    throw new ApiError('not_found', 'Endpoint not found.')
  }

  const toOrigin = (request: FastifyRequest) => url ?? requestOrigin(request)
  const toRedirectUri = (request: FastifyRequest) => `${toOrigin(request)}${PATH}/callback`
  const isSecure = (request: FastifyRequest) => toOrigin(request).startsWith('https:')

  function setFlowCookie(
    request: FastifyRequest,
    reply: FastifyReply,
    value: string,
    seconds: number,
  ): void {
    setCookie(reply, COOKIE, value, { seconds, isSecure: isSecure(request) })
  }
}

/** Redirects problems to the sign-in page, which explains them: a browser cannot use a JSON error. */
async function redirectTo(
  request: FastifyRequest,
  reply: FastifyReply,
  locate: () => Promise<string>,
): Promise<FastifyReply> {
  try {
    return reply.redirect(await locate())
  } catch (error) {
    if (!(error instanceof OidcProblem)) throw error
    request.log.warn({ reason: error.reason }, `OIDC sign-in: ${error.message}`)
    return reply.redirect(`/sign-in?problem=${error.reason}`)
  }
}

const newSecret = (): string => randomBytes(32).toString('base64url')

/** Prevents redirects to other sites after signing in, and cookies that are too large for browsers. */
const toOwnPath = (next: string | undefined): string =>
  next && /^\/(?![/\\])[\x21-\x7e]{0,2000}$/.test(next) ? next : '/'

function readFlow(request: FastifyRequest): SignInFlow | undefined {
  try {
    const text = Buffer.from(readCookie(request, COOKIE) ?? '', 'base64url').toString()
    const { state, nonce, verifier, next } = JSON.parse(text)
    const isComplete = [state, nonce, verifier, next].every((part) => typeof part === 'string')
    return isComplete ? { state, nonce, verifier, next } : undefined
  } catch {
    return undefined
  }
}
