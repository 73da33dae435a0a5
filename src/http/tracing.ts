import type { FastifyInstance, FastifyRequest } from 'fastify'
import { NO_TRACER, type Span, type Tracer } from '../telemetry/tracer.ts'

/** Requests of monitors, which would outnumber all others. */
const UNTRACED = ['/_health', '/_ready', '/metrics']

/** Adds a span for each request. It names the route, never the URL, which may contain tokens. */
export function installTracing(app: FastifyInstance, tracer: Tracer): void {
  if (tracer === NO_TRACER) return
  const spans = new WeakMap<FastifyRequest, Span>()

  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url
    if (route !== undefined && UNTRACED.includes(route)) return done()
    const { method, headers, id } = request
    const span = tracer.start(route ? `${method} ${route}` : method, {
      kind: 'server',
      parent: tracer.parentOf(headers.traceparent),
      attributes: {
        'http.request.method': method,
        'url.scheme': request.protocol,
        'hedgerow.request_id': id,
        ...(route && { 'http.route': route }),
      },
    })
    if (span) spans.set(request, span)
    tracer.within(span, done)
  })

  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    span?.set({ 'http.response.status_code': reply.statusCode })
    span?.end(reply.statusCode >= 500 ? String(reply.statusCode) : undefined)
    done()
  })
}
