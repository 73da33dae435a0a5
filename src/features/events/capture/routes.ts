import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { Storage } from '#server/db/open.ts'
import { type JsonText, sendJson } from '#server/http/json-text.ts'
import { MAX_BODY } from './body.ts'
import { captureEvents } from './capture.ts'
import { clientConfigRoutes } from './client-config-routes.ts'
import { createConverter } from './converter.ts'
import { emptyFeatureRoutes } from './empty-feature-routes.ts'
import { createProjectTokens } from './project-tokens.ts'
import { createReceiver, tooLarge } from './receive.ts'
import { Captured, NewEvents, NewEventWithToken } from './schema.ts'
import { segmentRoutes } from './segment/routes.ts'

const DONE = '{"status":1}' as JsonText
const OK = '{"status":"Ok"}' as JsonText

/** Mounted at /, where upstream's clients send events. The token in the body authenticates them. */
export async function captureRoutes(
  app: FastifyInstance,
  { storage, events }: { storage: Storage; events: EventStore },
): Promise<void> {
  const projects = createProjectTokens(storage)
  const receiver = createReceiver(app.enterTurn)
  const converter = createConverter()
  app.addHook('preClose', async () => receiver.close())
  app.addHook('onClose', () => converter.close())
  const deps = { store: events, projects, receiver, converter }
  acceptEveryBody(app)

  const capture = (response: JsonText) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { _: clientTime } = request.query as { _?: unknown }
    const sender = { address: request.ip, clientTime, format: 'posthog' as const }
    await captureEvents(deps, sender, request.raw)
    return sendJson(reply, response)
  }
  const route = (schema: RouteShorthandOptions['schema'] = { hide: true }) => ({
    config: { scope: 'public' as const, quiet: true },
    schema,
  })

  app.post('/batch', { ...route(BATCH), handler: capture(DONE) })
  app.post('/capture', { ...route(CAPTURE), handler: capture(DONE) })
  app.post('/e', { ...route(), handler: capture(DONE) })
  app.post('/track', { ...route(), handler: capture(DONE) })
  app.post('/i/v0/e', { ...route(), handler: capture(OK) })
  app.register(segmentRoutes, { prefix: '/v1', ...deps })
  app.register(clientConfigRoutes, { projects, receiver })
  app.register(emptyFeatureRoutes, { projects })
}

/**
 * Skips the content type and schema checks of other routes, because clients send bodies in many forms, and leaves the
 * body to the handler, which reads only as much of it as needed.
 */
function acceptEveryBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, _stream, done) => {
    const { 'content-length': length = '0' } = request.headers
    done(Number(length) > MAX_BODY ? tooLarge(MAX_BODY) : null)
  })
  app.setValidatorCompiler(() => () => true)
}

const BATCH = {
  operationId: 'captureBatch',
  summary: 'Send events',
  description:
    'Stores all events or none. Also at `/capture`, `/e`, `/track` and `/i/v0/e`, which accept a single event too. The body may be compressed with gzip.',
  tags: ['Events'],
  body: NewEvents,
  response: { 200: Captured },
}

const CAPTURE = {
  operationId: 'captureEvent',
  summary: 'Send an event',
  tags: ['Events'],
  body: NewEventWithToken,
  response: { 200: Captured },
}
