import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden } from '../errors.ts'
import { requestOrigin } from '../http/page.ts'
import { cameByHttps, readCookie, setCookie } from './cookies.ts'

const NAME = 'hedgerow_session'

export const readSessionCookie = (request: FastifyRequest): string | undefined =>
  readCookie(request, NAME)

export const setSessionCookie = (
  reply: FastifyReply,
  token: string,
  seconds: number,
  isSecure: boolean,
): void => setCookie(reply, NAME, token, { seconds, isSecure })

export const clearSessionCookie = (request: FastifyRequest, reply: FastifyReply): void =>
  setSessionCookie(reply, '', 0, cameByHttps(request))

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
