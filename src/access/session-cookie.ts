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

export const isSafeMethod = (method: string): boolean => SAFE.includes(method)

/**
 * Tells whether a page of this server sent a request; undefined if no browser did. Scripts of a page cannot set either
 * header. Browsers send `sec-fetch-site` only over HTTPS and to localhost, but `origin` with every change.
 */
function isFromOwnPage(request: FastifyRequest): boolean | undefined {
  const { 'sec-fetch-site': site, origin } = request.headers
  if (site !== undefined) return site === 'same-origin'
  return origin === undefined ? undefined : origin === requestOrigin(request)
}

/** Refuses to start a session for a page of another site, which could sign its visitors in to an account of its own. */
export function refuseOtherSites(request: FastifyRequest): void {
  if (isSafeMethod(request.method) || isFromOwnPage(request) !== false) return
  throw forbidden('A browser may send this only from a page of this server.')
}

/** Prevents cross-site request forgery, since browsers send the cookie with requests from other sites too. */
export function requireOwnOrigin(request: FastifyRequest): void {
  if (isSafeMethod(request.method) || isFromOwnPage(request)) return
  throw forbidden(
    'A change by a browser session must come from a page of this server, and the Origin header does not say so. Scripts bring an API key instead.',
  )
}
