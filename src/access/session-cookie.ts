import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden } from '../errors.ts'
import { requestOrigin } from '../http/page.ts'
import { readCookie, setCookie, usedHttps } from './cookies.ts'

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
  setSessionCookie(reply, '', 0, usedHttps(request))

const SAFE = ['GET', 'HEAD', 'OPTIONS']

/**
 * Prevents cross-site request forgery, since browsers send the cookie with requests from other sites too. Scripts cannot
 * set either header. Browsers send `sec-fetch-site` only over HTTPS and to localhost, but `origin` always.
 */
export function requireOwnOrigin(request: FastifyRequest): void {
  if (SAFE.includes(request.method)) return
  const { 'sec-fetch-site': site, origin } = request.headers
  if (site === undefined ? origin === requestOrigin(request) : site === 'same-origin') return
  throw forbidden(
    'A change by a browser session must come from a page of this server, and the Origin header does not say so. Scripts bring an API key instead.',
  )
}
