import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import { page, pageOf } from '#server/http/page.ts'
import { createDefinitions } from './definitions.ts'
import {
  DefinitionParams,
  EventDefinition,
  EventDefinitionQuery,
  PropertyDefinition,
  PropertyDefinitionQuery,
  PropertyValueQuery,
  PropertyValues,
} from './schema.ts'

const tags = ['Events']
const params = DefinitionParams
const KEPT = 'What was found is kept for a minute.'

/** Mounted at /api/projects/:project_id. What there is to choose from, for whoever writes a query. */
export const definitionRoutes: FastifyPluginAsyncTypebox<{ events: EventStore }> = async (
  app,
  { events },
) => {
  const definitions = createDefinitions(events)

  app.get('/event_definitions', {
    config: { scope: 'query:read' },
    schema: {
      operationId: 'listEventDefinitions',
      summary: 'List the names of events, the most frequent first',
      description: `Of the last 30 days, and of the newest 100,000 events however old they are. ${KEPT}`,
      tags,
      params,
      querystring: EventDefinitionQuery,
      response: { 200: pageOf(EventDefinition) },
    },
    handler: async (request) => {
      const found = await definitions.events(request.caller.projectId)
      return page(request, async (window) => sliceOf(found, request.query.search, window))
    },
  })

  app.get('/property_definitions', {
    config: { scope: 'query:read' },
    schema: {
      operationId: 'listPropertyDefinitions',
      summary: 'List the names of properties, the most frequent first',
      description: `Of a sample: the newest events, and the newest of each frequent name. Give \`event\` for rarer ones. ${KEPT}`,
      tags,
      params,
      querystring: PropertyDefinitionQuery,
      response: { 200: pageOf(PropertyDefinition) },
    },
    handler: async (request) => {
      const { event, search } = request.query
      const found = await definitions.properties(request.caller.projectId, event)
      return page(request, async (window) => sliceOf(found, search, window))
    },
  })

  app.get('/property_values', {
    config: { scope: 'query:read' },
    schema: {
      operationId: 'listPropertyValues',
      summary: 'List the most frequent values of a property, at most 50',
      description: `Of the newest 100,000 events; without values of more than 1,000 characters. ${KEPT}`,
      tags,
      params,
      querystring: PropertyValueQuery,
      response: { 200: PropertyValues },
    },
    handler: async ({ caller, query }) => ({
      results: [...(await definitions.values(caller.projectId, query))],
    }),
  })
}

function sliceOf<T extends { readonly name: string }>(
  found: readonly T[],
  search: string | undefined,
  { limit, offset }: PageRange,
): Slice<T> {
  const words = search?.toLowerCase() ?? ''
  const fitting = found.filter(({ name }) => name.toLowerCase().includes(words))
  return { count: fitting.length, results: fitting.slice(offset, offset + limit) }
}
