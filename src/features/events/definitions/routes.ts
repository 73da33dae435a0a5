import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import { page, pageSchema } from '#server/http/page.ts'
import { createDefinitions } from './definitions.ts'
import { filterProperties, toEventNames } from './filter-properties.ts'
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
const CACHED = 'Cached for a minute.'

/** Mounted at /api/projects/:project_id. Lists the names and values that a query editor offers. */
export const definitionRoutes: FastifyPluginAsyncTypebox<{ events: EventStore }> = async (
  app,
  { events },
) => {
  const definitions = createDefinitions(events)

  app.get('/event_definitions', {
    config: {
      scope: 'query:read',
      unappliedFilters: [
        'event_type',
        'exclude_stale',
        'excluded_properties',
        'ids',
        'names',
        'ordering',
        'tags',
        'verified',
      ],
    },
    schema: {
      operationId: 'listEventDefinitions',
      summary: 'List event names, most frequent first',
      description: `Covers the last 30 days and the newest 100,000 events. ${CACHED}`,
      tags,
      params,
      querystring: EventDefinitionQuery,
      response: { 200: pageSchema(EventDefinition) },
    },
    handler: async (request) => {
      const found = await definitions.events(request.caller.projectId)
      return page(request, async (range) => toSlice(found, request.query.search, range))
    },
  })

  app.get('/property_definitions', {
    config: { scope: 'query:read', unappliedFilters: ['group_type_index'] },
    schema: {
      operationId: 'listPropertyDefinitions',
      summary: 'List property names, most frequent first',
      description: `Covers a sample of the newest events of each frequent name, or of the newest persons. Set \`event\` for rarer ones. ${CACHED}`,
      tags,
      params,
      querystring: PropertyDefinitionQuery,
      response: { 200: pageSchema(PropertyDefinition) },
    },
    handler: async (request) => {
      const { search, type } = request.query
      const { projectId } = request.caller
      const names = toEventNames(request.query)
      const found =
        type === 'person'
          ? await definitions.personProperties(projectId)
          : await definitions.properties(projectId, names)
      const fitting = filterProperties(found, request.query)
      return page(request, async (range) => toSlice(fitting, search, range))
    },
  })

  app.get('/property_values', {
    config: { scope: 'query:read' },
    schema: {
      operationId: 'listPropertyValues',
      summary: 'List the 50 most frequent values of a property',
      description: `Covers the newest 100,000 events or persons. Excludes values of more than 1,000 characters. ${CACHED}`,
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

function toSlice<T extends { readonly name: string }>(
  found: readonly T[],
  search: string | undefined,
  { limit, offset }: PageRange,
): Slice<T> {
  const needle = search?.toLowerCase() ?? ''
  const matches = found.filter(({ name }) => name.toLowerCase().includes(needle))
  return { count: matches.length, results: matches.slice(offset, offset + limit) }
}
