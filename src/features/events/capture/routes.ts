import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { Storage } from '#server/db/open.ts'
import { type JsonText, sendJson } from '#server/http/json-text.ts'
import { MAX_BODY, parseBody } from './body.ts'
import { captureEvents } from './capture.ts'
import { clientConfigRoutes } from './client-config-routes.ts'
import { createTokenLookup } from './project-tokens.ts'
import { Captured, NewEvents, NewEventWithToken } from './schema.ts'

const DONE = '{"status":1}' as JsonText
const OK = '{"status":"Ok"}' as JsonText

/** Mounted at /: the addresses that upstream's clients send to. Who may send is said by the token in the body. */
export async function captureRoutes(
  app: FastifyInstance,
  { storage, events }: { storage: Storage; events: EventStore },
): Promise<void> {
  const findProject = createTokenLookup(storage)
  acceptEveryBody(app)

  const capture = (answer: JsonText) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { _: clientTime } = request.query as { _?: unknown }
    await captureEvents(events, findProject, request.body, clientTime)
    return sendJson(reply, answer)
  }
  const route = (schema: RouteShorthandOptions['schema'] = { hide: true }) => ({
    config: { scope: 'public' as const, quiet: true },
    bodyLimit: MAX_BODY,
    schema,
  })

  app.post('/batch', { ...route(BATCH), handler: capture(DONE) })
  app.post('/capture', { ...route(CAPTURE), handler: capture(DONE) })
  app.post('/e', { ...route(), handler: capture(DONE) })
  app.post('/track', { ...route(), handler: capture(DONE) })
  app.post('/i/v0/e', { ...route(), handler: capture(OK) })
  app.register(clientConfigRoutes, { findProject })
}

/** Elsewhere bodies are JSON by their type and by a schema; here they are what clients make of them. */
function acceptEveryBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_: FastifyRequest, body: Buffer) =>
    parseBody(body),
  )
  app.setValidatorCompiler(() => () => true)
}

const BATCH = {
  operationId: 'captureBatch',
  summary: 'Send events',
  description:
    'All of them are stored, or none. Also at `/capture`, `/e`, `/track` and `/i/v0/e`, where one event may come without a batch. The body may be compressed with gzip.',
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
