import type { FastifyInstance } from 'fastify'

/** One object for all answers: a browser may look at our JSON, but not run, frame or sniff it. */
const SECURITY: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Keys travel in a header and never in a cookie, so any origin may call: it has to bring its own key. */
const CORS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'X-Request-Id, ETag, Allow, Retry-After',
}

const PREFLIGHT: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers':
    'Accept, Authorization, Cache-Control, Content-Type, If-None-Match, X-Request-Id, X-Requested-With',
  'access-control-max-age': '86400',
}

const OF_API = { ...SECURITY, ...CORS }

export function installHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const ofApi = request.url.startsWith('/api/')
    reply.headers(ofApi ? OF_API : SECURITY)
    reply.header('x-request-id', request.id)
    if (ofApi && request.headers['access-control-request-method'] && request.method === 'OPTIONS') {
      reply.code(204).headers(PREFLIGHT).send()
      return
    }
    done()
  })
}
