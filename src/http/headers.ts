import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { toPathPattern } from './path-pattern.ts'

/** A browser may show our JSON, but not run, frame or sniff it. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

const EXPOSED = { 'access-control-expose-headers': 'X-Request-Id, ETag, Allow, Retry-After' }

/** Responses are not cached unless their route says so. */
const NOT_PUBLIC = { ...SECURITY_HEADERS, ...EXPOSED, 'cache-control': 'no-store' }

/** Any origin may call with a key, but never with a session: browsers send no cookies to `*`. */
const API_HEADERS = { ...NOT_PUBLIC, 'access-control-allow-origin': '*' }

const OPEN_HEADERS = { ...NOT_PUBLIC, vary: 'Origin' }

const PREFLIGHT: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE, OPTIONS',
  'access-control-max-age': '86400',
}

const API_REQUEST_HEADERS =
  'Accept, Authorization, Cache-Control, Content-Type, Content-Encoding, If-None-Match, X-Request-Id, X-Requested-With'

export function installHeaders(app: FastifyInstance): void {
  const openPaths = new Map<string, RegExp>()
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.pages !== 'any') return
    if (config.scope !== 'public') throw new Error(`${method} ${url} is open to pages but guarded`)
    openPaths.set(url, toPathPattern(url))
  })

  /** A path without a route for the method is open like its other methods. Preflight requests have no route. */
  function isOpenToPages({ url, is404, routeOptions: { config } }: FastifyRequest): boolean {
    if (!is404 && !config.alwaysRefused) return config.pages === 'any'
    const path = url.split('?', 1)[0] as string
    return openPaths.values().some((pattern) => pattern.test(path))
  }

  app.addHook('onRequest', (request, reply, done) => {
    const isOpen = isOpenToPages(request)
    if (isOpen) addOpenHeaders(request, reply)
    else addHeaders(request, reply)
    if (isPreflight(request) && (isOpen || isApiRequest(request))) {
      const { 'access-control-request-headers': requested } = request.headers
      const allowed = isOpen ? requested : API_REQUEST_HEADERS
      if (allowed) reply.header('access-control-allow-headers', allowed)
      reply.code(204).headers(PREFLIGHT).send()
      return
    }
    done(lacksHost(request) ? new ApiError('bad_request', 'No Host header.') : undefined)
  })
}

/** Also called for responses that bypass the hooks. */
export function addHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(isApiRequest(request) ? API_HEADERS : SECURITY_HEADERS)
  reply.header('x-request-id', request.id)
}

/** Names the origin of the page, because browsers accept no `*` for a request with credentials. */
function addOpenHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const { origin } = request.headers
  reply.headers(OPEN_HEADERS)
  reply.header('access-control-allow-origin', origin ?? '*')
  if (origin !== undefined) reply.header('access-control-allow-credentials', 'true')
  reply.header('x-request-id', request.id)
}

/** Matches the API, and what clients on pages might ask for, whether it exists or not. */
const API_PATHS = /^\/(?:api|i|s|flags|v1)(?:[/?]|$)/

const isApiRequest = ({ url }: FastifyRequest): boolean => API_PATHS.test(url)

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined

/** HTTP 1.0 needs no Host header. Node would refuse HTTP 1.1 without one too, but with no body. */
const lacksHost = ({ headers, raw }: FastifyRequest): boolean =>
  headers.host === undefined && raw.httpVersion === '1.1'
