import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { type JsonText, sendJson } from '#server/http/json-text.ts'
import { type CaptureDeps, captureEvents } from '../capture.ts'
import type { FormatName } from '../format.ts'
import { toCaptureSource } from '../source.ts'
import { MESSAGE_TYPES, type MessageType } from './message.ts'
import { readToken } from './request.ts'
import { SegmentAccepted, SegmentBatch, SegmentMessage } from './schema.ts'

const SUCCESS = '{"success":true}' as JsonText

/** Mounted at /, where the clients of Segment and RudderStack send messages. Those in browsers shorten the paths. */
export async function segmentRoutes(app: FastifyInstance, deps: CaptureDeps): Promise<void> {
  const config = { scope: 'public' as const, pages: 'any' as const, quiet: true }
  const hidden = { schema: { hide: true } }

  const route = (format: FormatName, schema: RouteShorthandOptions['schema']) => ({
    config: { ...config, capturesEvents: true },
    schema: { ...schema, tags: ['Events'], response: { 200: SegmentAccepted } },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const token = readToken(request)
      await captureEvents(deps, { ...toCaptureSource(request, format), token }, request.raw)
      return sendJson(reply, SUCCESS)
    },
  })

  app.post('/v1/batch', route('segment', BATCH))
  for (const path of ['/v1/b', '/beacon/v1/batch']) {
    app.post(path, { ...route('segment', BATCH), ...hidden })
  }
  for (const type of MESSAGE_TYPES) {
    app.post(`/v1/${type}`, route(type, toSchema(type)))
    app.post(`/v1/${type[0]}`, { ...route(type, toSchema(type)), ...hidden })
  }
  // counts of the client's own calls and errors
  app.post('/v1/m', { config, ...hidden }, async (_request, reply) => sendJson(reply, SUCCESS))
}

const BATCH = {
  operationId: 'sendSegmentBatch',
  summary: 'Send messages of Segment or RudderStack',
  description:
    'Stores all messages or none. The project token is the user name of Basic authentication, or `writeKey` in the body, which may be compressed with gzip.',
  body: SegmentBatch,
}

const SUMMARIES: Readonly<Record<MessageType, string>> = {
  track: 'Send a track message',
  identify: 'Send an identify message',
  page: 'Send a page message',
  screen: 'Send a screen message',
  group: 'Send a group message',
  alias: 'Send an alias message',
}

const toSchema = (type: MessageType) => ({
  operationId: `sendSegment${type[0]?.toUpperCase()}${type.slice(1)}`,
  summary: SUMMARIES[type],
  body: SegmentMessage,
})
