import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'

/** A browser may show our JSON, but not run, frame or sniff it. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Any origin may call with a key, but never with a session: browsers send no cookies to `*`. */
const CORS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'X-Request-Id, ETag, Allow, Retry-After',
}

const PREFLIGHT: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers':
    'Accept, Authorization, Cache-Control, Content-Type, Content-Encoding, If-None-Match, X-Request-Id, X-Requested-With, PostHog-Sdk-Info, PostHog-Attempt, PostHog-Request-Id, PostHog-Request-Timestamp',
  'access-control-max-age': '86400',
}

/** Responses are not cached unless their route says so. */
const API_HEADERS = { ...SECURITY_HEADERS, ...CORS, 'cache-control': 'no-store' }

export function installHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    addHeaders(request, reply)
    if (isPreflight(request)) {
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

/** Matches the API and what pages of other origins load, send or ask for, whether it exists or not. */
const API_PATHS =
  /^\/(?:api|batch|capture|e|v1|track|engage|i|s|flags|decide|array|static)(?:[/?]|$)/

const isApiRequest = ({ url }: FastifyRequest): boolean => API_PATHS.test(url)

const isPreflight = (request: FastifyRequest): boolean =>
  request.method === 'OPTIONS' &&
  request.headers['access-control-request-method'] !== undefined &&
  isApiRequest(request)

/** HTTP 1.0 needs no Host header. Node would refuse HTTP 1.1 without one too, but with no body. */
const lacksHost = ({ headers, raw }: FastifyRequest): boolean =>
  headers.host === undefined && raw.httpVersion === '1.1'
