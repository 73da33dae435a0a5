import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the request certainly used HTTPS, judged by its scheme or by the host of the public URL. */
    readonly isHttps: boolean
  }
}

/** Browsers accept this prefix only over HTTPS and from the host itself, so no sibling domain can set the cookie. */
const HOST_PREFIX = '__Host-'
/** Browsers accept this prefix only over HTTPS. A cookie with a path of its own cannot have the other. */
const SECURE_PREFIX = '__Secure-'

const prefixOf = (path: string): string => (path === '/' ? HOST_PREFIX : SECURE_PREFIX)

/** `publicUrl`: the configured URL of the service. */
export function installCookies(app: FastifyInstance, publicUrl: string | undefined): void {
  const secureHost = publicUrl?.startsWith('https:') ? new URL(publicUrl).host : undefined
  app.decorateRequest('isHttps', {
    getter(this: FastifyRequest) {
      return this.protocol === 'https' || this.host === secureHost
    },
  })
}

/** Also trusts the Origin header, because an untrusted proxy hides the scheme. */
export const usedHttps = ({ isHttps, headers }: FastifyRequest): boolean =>
  isHttps || headers.origin?.startsWith('https:') === true

/** Over HTTPS, a cookie without the prefix could come from another host of the domain, so it is ignored. */
export function readCookie(request: FastifyRequest, name: string, path = '/'): string | undefined {
  const cookies = parseCookie(request.headers.cookie ?? '')
  return (
    cookies[prefixOf(path) + name] || (request.isHttps ? undefined : cookies[name]) || undefined
  )
}

interface CookieOptions {
  readonly seconds: number
  readonly isSecure: boolean
  /** Default: the whole service. */
  readonly path?: string
}

/** Sets a cookie that scripts cannot read and that other sites' forms and images do not send. */
export function setCookie(
  reply: FastifyReply,
  name: string,
  value: string,
  { seconds, isSecure, path = '/' }: CookieOptions,
): void {
  const cookie = stringifySetCookie({
    name: isSecure ? prefixOf(path) + name : name,
    value,
    path,
    maxAge: seconds,
    httpOnly: true,
    secure: isSecure,
    sameSite: 'lax',
  })
  reply.header('set-cookie', cookie).header('cache-control', 'no-store')
}
