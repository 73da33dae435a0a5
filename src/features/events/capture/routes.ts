import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { Storage } from '#server/db/open.ts'
import type { Places } from '#server/geoip/places.ts'
import { type JsonText, sendJson } from '#server/http/json-text.ts'
import { MAX_BODY } from './body.ts'
import { captureEvents, captureFromUrl } from './capture.ts'
import { clientConfigRoutes } from './client-config-routes.ts'
import type { Converter } from './converter.ts'
import { emptyFeatureRoutes } from './empty-feature-routes.ts'
import type { FormatName } from './format.ts'
import { createProjectTokens } from './project-tokens.ts'
import { createReceiver, tooLarge } from './receive.ts'
import {
  Captured,
  EventOutcomes,
  NewAnalyticsEvents,
  NewEvents,
  NewEventWithToken,
} from './schema.ts'
import { segmentRoutes } from './segment/routes.ts'
import { segmentSettingsRoutes } from './segment/settings-routes.ts'
import { toCaptureSource, toV1Source } from './source.ts'

const DONE = '{"status":1}' as JsonText
const OK = '{"status":"Ok"}' as JsonText

interface CaptureOptions {
  readonly storage: Storage
  readonly events: EventStore
  readonly converter: Converter
  readonly places: Places
  /** The public URL, if it is configured. */
  readonly url: string | undefined
}

/** Mounted at /, where upstream's clients send events. The token in the body authenticates them. */
export async function captureRoutes(
  app: FastifyInstance,
  { storage, events, converter, places, url }: CaptureOptions,
): Promise<void> {
  const projects = createProjectTokens(storage)
  const receiver = createReceiver(app.enterTurn)
  app.addHook('preClose', async () => receiver.close())
  const deps = { store: events, projects, receiver, converter, places }
  acceptEveryBody(app)

  const route = (schema: RouteShorthandOptions['schema'] = { hide: true }) => ({
    config: { scope: 'public' as const, pages: 'any' as const, quiet: true, capturesEvents: true },
    schema,
  })

  const captureAs = (format: FormatName, response: JsonText) => ({
    async post(request: FastifyRequest, reply: FastifyReply) {
      await captureEvents(deps, toCaptureSource(request, format), request.raw)
      return sendJson(reply, response)
    },
    async get(request: FastifyRequest, reply: FastifyReply) {
      const query = request.url.replace(/^[^?]*\??/, '')
      await captureFromUrl(deps, toCaptureSource(request, format), query)
      return sendJson(reply, response)
    },
  })

  const posthog = captureAs('posthog', DONE)
  app.post('/batch', { ...route(BATCH), handler: posthog.post })
  app.post('/capture', { ...route(CAPTURE), handler: posthog.post })
  app.post('/i/v0/ai/batch', { ...route(), handler: posthog.post })
  for (const [url, { post, get }] of [
    ['/e', posthog],
    ['/track', posthog],
    ['/i/v0/e', captureAs('posthog', OK)],
    ['/engage', captureAs('engage', DONE)],
  ] as const) {
    app.post(url, { ...route(), handler: post })
    app.get(url, { ...route(), exposeHeadRoute: false, handler: get })
  }
  app.get('/capture', { ...route(), exposeHeadRoute: false, handler: posthog.get })

  app.post('/i/v1/analytics/events', {
    ...route(V1_EVENTS),
    handler: async (request, reply) => {
      const outcomes = await captureEvents(deps, toV1Source(request), request.raw)
      return sendJson(
        reply,
        JSON.stringify({ results: Object.fromEntries(outcomes ?? []) }) as JsonText,
      )
    },
  })
  app.register(segmentRoutes, deps)
  app.register(segmentSettingsRoutes, { projects, url })
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
    'Stores all events or none. Also at `/capture`, `/e`, `/track`, `/i/v0/e` and `/i/v0/ai/batch`, which accept a single event too, and at `/engage`, where events need no name. The body may be compressed with gzip, deflate, br or zstd, or encoded with base64. All but `/batch` and `/i/v0/ai/batch` also accept events in the URL: `GET /e?data=...`.',
  tags: ['Events'],
  body: NewEvents,
  response: { 200: Captured },
}

const V1_EVENTS = {
  operationId: 'captureAnalyticsEvents',
  summary: 'Send events and get the outcome of each',
  description:
    'The project token is the Bearer token. Stores the valid events. The body may be compressed with gzip, deflate, br or zstd.',
  tags: ['Events'],
  body: NewAnalyticsEvents,
  response: { 200: EventOutcomes },
}

const CAPTURE = {
  operationId: 'captureEvent',
  summary: 'Send an event',
  tags: ['Events'],
  body: NewEventWithToken,
  response: { 200: Captured },
}
