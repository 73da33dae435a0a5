import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden } from '../errors.ts'
import { requestOrigin } from '../http/page.ts'

const NAME = 'hedgerow_session'

export const readCookie = (request: FastifyRequest, name = NAME): string | undefined =>
  parseCookie(request.headers.cookie ?? '')[name] || undefined

interface CookieOptions {
  readonly path: string
  readonly seconds: number
  readonly isSecure: boolean
}

/** Sets a cookie that scripts cannot read and that other sites' forms and images do not send. */
export function setCookie(
  reply: FastifyReply,
  name: string,
  value: string,
  { path, seconds, isSecure }: CookieOptions,
): void {
  const cookie = stringifySetCookie({
    name,
    value,
    path,
    maxAge: seconds,
    httpOnly: true,
    secure: isSecure,
    sameSite: 'lax',
  })
  reply.header('set-cookie', cookie).header('cache-control', 'no-store')
}

export const setSessionCookie = (
  reply: FastifyReply,
  token: string,
  seconds: number,
  isSecure: boolean,
): void => setCookie(reply, NAME, token, { path: '/', seconds, isSecure })

export const clearSessionCookie = (request: FastifyRequest, reply: FastifyReply): void =>
  setSessionCookie(reply, '', 0, cameByHttps(request))

/** Trusts the Origin header too: a proxy that is not trusted hides the scheme. */
export const cameByHttps = ({ protocol, headers }: FastifyRequest): boolean =>
  protocol === 'https' || headers.origin?.startsWith('https:') === true

const SAFE = ['GET', 'HEAD', 'OPTIONS']

/**
 * Prevents cross-site request forgery: browsers send the cookie with requests of other sites too. Scripts cannot set
 * either header. Browsers send `sec-fetch-site` over https and to localhost only, `origin` always.
 */
export function requireOwnOrigin(request: FastifyRequest): void {
  if (SAFE.includes(request.method)) return
  const { 'sec-fetch-site': site, origin } = request.headers
  if (site === undefined ? origin === requestOrigin(request) : site === 'same-origin') return
  throw forbidden(
    'A change by a browser session must come from a page of this server, and the Origin header does not say so. Scripts bring an API key instead.',
  )
}
