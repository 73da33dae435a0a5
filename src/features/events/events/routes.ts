import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { MAX_EXPORTED } from '#model/event-columns.ts'
import { readWhileAllowed, whileAllowed } from '#server/access/while-allowed.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { Db } from '#server/db/schema.ts'
import { sendJson } from '#server/http/json-text.ts'
import { MAX_LIMIT, pageLink } from '#server/http/page.ts'
import { removePersonEvents, searchEventKeys, searchEvents, toEventPageJson } from './events.ts'
import { EXPORT_FORMATS, parseColumns, writeEvents } from './export.ts'
import { createLiveEvents } from './live.ts'
import {
  DeletedEvents,
  DistinctIdParams,
  EventExportQuery,
  EventListQuery,
  EventPage,
  EventParams,
  LiveQuery,
} from './schema.ts'

const MEDIA_TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' }

const FILES = {
  csv: { description: 'As CSV.', content: { 'text/csv': { schema: Type.String() } } },
  json: {
    description: 'As JSON.',
    content: { 'application/json': { schema: Type.Unknown() } },
  },
}

interface EventRoutesOptions {
  readonly db: Db
  readonly events: EventStore
}

/** Mounted at /api/projects/:project_id */
export const eventRoutes: FastifyPluginAsyncTypebox<EventRoutesOptions> = async (
  app,
  { db, events },
) => {
  const live = createLiveEvents(app, { db, events })

  app.get('/events', {
    config: { scope: 'query:read', unappliedFilters: ['select', 'where'] },
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

  for (const format of EXPORT_FORMATS) {
    app.get(`/events/export.${format}`, {
      config: { scope: 'query:read' },
      schema: {
        operationId: `exportEvents${format === 'csv' ? 'Csv' : 'Json'}`,
        summary: `Export events as ${format.toUpperCase()}`,
        description: `The newest ${MAX_EXPORTED} events that match, newest first.`,
        tags: ['Events'],
        params: EventParams,
        querystring: EventExportQuery,
        response: { 200: FILES[format] },
      },
      handler: async (request, reply) => {
        const { caller, query } = request
        const columns = parseColumns(query.columns)
        const range = { limit: MAX_EXPORTED, offset: 0 }
        const keys = await whileAllowed(request, (signal) =>
          searchEventKeys({ db, events }, caller, { query, range, signal }),
        )
        const source = { store: events, projectId: caller.projectId, keys }
        const parts = readWhileAllowed(request, writeEvents(source, format, columns))
        return reply
          .type(MEDIA_TYPES[format])
          .header('content-disposition', `attachment; filename="events.${format}"`)
          .send(Readable.from(parts))
      },
    })
  }

  app.get('/events/live', {
    config: { scope: 'query:read' },
    schema: {
      operationId: 'watchEvents',
      summary: 'Stream events as they come in',
      description:
        'Sends server-sent events: `event` (an event as in the list that matches the filters, if it happened within a day of coming in), `skipped` (more came in than are sent at once) and `changed` (older events came in, or some were deleted). Starts with the events of the last minute. The stream ends after five minutes; EventSource clients reconnect.',
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
    handler: async (request, reply) => live.open(request, reply),
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
