import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { type JsonText, sendJson } from '#server/http/json-text.ts'
import { type CaptureDeps, captureEvents } from '../capture.ts'
import type { FormatName } from '../format.ts'
import { toSender } from '../sender.ts'
import { MESSAGE_TYPES, type MessageType } from './message.ts'
import { readBasicUser } from './request.ts'
import { SegmentAccepted, SegmentBatch, SegmentMessage } from './schema.ts'

const SUCCESS = '{"success":true}' as JsonText

/** Mounted at /v1, where the clients of Segment and RudderStack send messages. */
export async function segmentRoutes(app: FastifyInstance, deps: CaptureDeps): Promise<void> {
  const route = (format: FormatName, schema: RouteShorthandOptions['schema']) => ({
    config: { scope: 'public' as const, quiet: true, capturesEvents: true },
    schema: { ...schema, tags: ['Events'], response: { 200: SegmentAccepted } },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const token = readBasicUser(request.headers.authorization)
      await captureEvents(deps, { ...toSender(request, format), token }, request.raw)
      return sendJson(reply, SUCCESS)
    },
  })

  app.post('/batch', route('segment', BATCH))
  for (const type of MESSAGE_TYPES) app.post(`/${type}`, route(type, toSchema(type)))
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
