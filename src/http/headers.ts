import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'

/** One object for all answers: a browser may look at our JSON, but not run, frame or sniff it. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Any origin may call, with a key of its own. Never with a session: a star lets no cookie along. */
const CORS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'X-Request-Id, ETag, Allow, Retry-After',
}

const PREFLIGHT: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers':
    'Accept, Authorization, Cache-Control, Content-Type, Content-Encoding, If-None-Match, X-Request-Id, X-Requested-With',
  'access-control-max-age': '86400',
}

/** Whoever may keep an answer is told so by the route: the others are for one caller, at one moment. */
const OF_API = { ...SECURITY_HEADERS, ...CORS, 'cache-control': 'no-store' }

export function installHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    addHeaders(request, reply)
    if (isPreflight(request)) {
      reply.code(204).headers(PREFLIGHT).send()
      return
    }
    done(isWithoutHost(request) ? new ApiError('bad_request', 'No Host header.') : undefined)
  })
}

/** For answers that no hook sees as well. */
export function addHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(isOfApi(request) ? OF_API : SECURITY_HEADERS)
  reply.header('x-request-id', request.id)
}

/** The API, and where clients in browsers send events to. */
const OPEN = /^\/(?:api|batch|capture|e|track|i\/v0\/e|flags|decide|array)(?:[/?]|$)/

const isOfApi = ({ url }: FastifyRequest): boolean => OPEN.test(url)

const isPreflight = (request: FastifyRequest): boolean =>
  request.method === 'OPTIONS' &&
  request.headers['access-control-request-method'] !== undefined &&
  isOfApi(request)

/** HTTP 1.0 may come without. Node would refuse it too, with no body. */
const isWithoutHost = ({ headers, raw }: FastifyRequest): boolean =>
  headers.host === undefined && raw.httpVersion === '1.1'
