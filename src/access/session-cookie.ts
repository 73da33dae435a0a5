import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden } from '../errors.ts'
import { originOf } from '../http/page.ts'

const NAME = 'hedgerow_session'

export function readCookie(request: FastifyRequest, name = NAME): string | undefined {
  for (const pair of request.headers.cookie?.split(';') ?? []) {
    const [key, value] = pair.trim().split('=', 2)
    if (key === name && value) return value
  }
  return undefined
}

interface CookieOptions {
  readonly path: string
  readonly seconds: number
}

/** Out of reach of scripts, and never sent along by the forms and pictures of other sites. */
export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  value: string,
  { path, seconds }: CookieOptions,
): void {
  const parts = [`${name}=${value}`, `Path=${path}`, `Max-Age=${seconds}`, 'HttpOnly']
  parts.push('SameSite=Lax', ...(isSecure(request) ? ['Secure'] : []))
  reply.header('set-cookie', parts.join('; ')).header('cache-control', 'no-store')
}

export const setSessionCookie = (
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  seconds: number,
): void => setCookie(request, reply, NAME, token, { path: '/', seconds })

export const clearSessionCookie = (request: FastifyRequest, reply: FastifyReply): void =>
  setSessionCookie(request, reply, '', 0)

/** A proxy that is not trusted hides the scheme; the browser tells it all the same. */
const isSecure = ({ protocol, headers }: FastifyRequest): boolean =>
  protocol === 'https' || headers.origin?.startsWith('https:') === true

const SAFE = ['GET', 'HEAD', 'OPTIONS']

/**
 * A browser sends the cookie whoever wrote the page, so a change must also come from a page of ours. Browsers say
 * so in a header that no script can set: the first over https and on localhost, the second always.
 */
export function requireOwnOrigin(request: FastifyRequest): void {
  if (SAFE.includes(request.method)) return
  const { 'sec-fetch-site': site, origin } = request.headers
  if (site === undefined ? origin === originOf(request) : site === 'same-origin') return
  throw forbidden(
    'A change by a browser session must come from a page of this server, and the Origin header does not say so. Scripts bring an API key instead.',
  )
}
