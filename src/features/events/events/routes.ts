import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { whileAllowed } from '#server/access/while-allowed.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { Db } from '#server/db/schema.ts'
import { sendJson } from '#server/http/json-text.ts'
import { MAX_LIMIT, pageLink } from '#server/http/page.ts'
import { removePersonEvents, searchEvents, toEventPageJson } from './events.ts'
import { createLiveEvents } from './live.ts'
import {
  DeletedEvents,
  DistinctIdParams,
  EventListQuery,
  EventPage,
  EventParams,
  LiveQuery,
} from './schema.ts'

interface EventRoutesOptions {
  readonly db: Db
  readonly events: EventStore
}

/** Mounted at /api/projects/:project_id */
export const eventRoutes: FastifyPluginAsyncTypebox<EventRoutesOptions> = async (
  app,
  { db, events },
) => {
  const live = createLiveEvents(app, events)

  app.get('/events', {
    config: { scope: 'query:read', unappliedFilters: ['action_id', 'select', 'where'] },
    schema: {
      operationId: 'listEvents',
      summary: 'List events, newest first',
      tags: ['Events'],
      params: EventParams,
      querystring: EventListQuery,
      response: { 200: EventPage },
    },
    handler: async (request, reply) => {
      const { limit: requested = 100, offset = 0 } = request.query
      const limit = Math.min(requested, MAX_LIMIT)
      const { results, hasMore } = await whileAllowed(request, (signal) =>
        searchEvents({ db, events }, request.caller, {
          query: request.query,
          range: { limit, offset },
          signal,
        }),
      )
      const next = hasMore ? pageLink(request, limit, offset + results.length) : null
      return sendJson(reply, toEventPageJson({ next, results }))
    },
  })

  app.get('/events/live', {
    config: { scope: 'query:read' },
    schema: {
      operationId: 'watchEvents',
      summary: 'Stream events as they come in',
      description:
        'Sends server-sent events: `event` (an event as in the list, if it happened within a day of coming in), `skipped` (more came in than are sent at once) and `changed` (older events came in, or some were deleted). Starts with the events of the last minute. The stream ends after five minutes; EventSource clients reconnect.',
      tags: ['Events'],
      params: EventParams,
      querystring: LiveQuery,
      response: {
        200: {
          description: 'Server-sent events.',
          content: { 'text/event-stream': { schema: Type.String() } },
        },
      },
    },
    handler: async (request, reply) => live.open(request, reply, request.query),
  })

  app.delete('/persons/:distinct_id/events', {
    config: { scope: 'person:write', adminOnly: true },
    schema: {
      operationId: 'deletePersonEvents',
      summary: "Delete a person's events",
      description:
        'Cannot be undone. The activity log keeps who deleted them, the person and the number of events.',
      tags: ['Events'],
      params: DistinctIdParams,
      response: { 200: DeletedEvents },
    },
    handler: async (request) => ({
      deleted: await removePersonEvents({ db, events }, request.caller, request.params.distinct_id),
    }),
  })
}
