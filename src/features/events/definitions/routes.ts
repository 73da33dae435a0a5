import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { toEventLabel } from '#model/names/event-label.ts'
import { toPropertyLabel } from '#model/names/property-label.ts'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { page, pageSchema } from '#server/http/page.ts'
import { createDefinitions } from './definitions.ts'
import {
  getEventDefinition,
  getPropertyDefinition,
  listEventDefinitions,
  listPropertyDefinitions,
  patchEventDefinition,
  patchPropertyDefinition,
} from './described.ts'
import { filterEvents, filterProperties, toEventNames } from './filters.ts'
import {
  DefinitionParams,
  EventDefinition,
  EventDefinitionParams,
  EventDefinitionPatch,
  EventDefinitionQuery,
  PropertyDefinition,
  PropertyDefinitionParams,
  PropertyDefinitionPatch,
  PropertyDefinitionQuery,
  PropertyValueQuery,
  PropertyValues,
} from './schema.ts'

const tags = ['Events']
const params = DefinitionParams
const CACHED = 'Cached for a minute.'

/** Mounted at /api/projects/:project_id. Lists the names and values that a query editor offers. */
export const definitionRoutes: FastifyPluginAsyncTypebox<{
  db: Db
  events: EventStore
}> = async (app, { db, events }) => {
  const definitions = createDefinitions(events)
  const deps = { db, definitions }

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
      ],
    },
    schema: {
      operationId: 'listEventDefinitions',
      summary: 'List event definitions, verified and most frequent first',
      description: `Covers the last 30 days and the newest 100,000 events. ${CACHED}`,
      tags,
      params,
      querystring: EventDefinitionQuery,
      response: { 200: pageSchema(EventDefinition) },
    },
    handler: async (request) => {
      const { caller, query } = request
      const found = filterEvents(await listEventDefinitions(deps, caller), query)
      return page(request, async (range) => toSlice(found, query.search, toEventLabel, range))
    },
  })

  app.get('/event_definitions/:id', {
    config: { scope: 'event_definition:read' },
    schema: {
      operationId: 'getEventDefinition',
      summary: 'Get an event definition',
      tags,
      params: EventDefinitionParams,
      response: { 200: EventDefinition },
    },
    handler: ({ caller, params }) => getEventDefinition(deps, caller, params.id),
  })

  app.patch('/event_definitions/:id', {
    config: { scope: 'event_definition:write' },
    schema: {
      operationId: 'patchEventDefinition',
      summary: 'Describe, verify or hide an event',
      tags,
      params: EventDefinitionParams,
      body: EventDefinitionPatch,
      response: { 200: EventDefinition },
    },
    handler: ({ caller, params, body }) => patchEventDefinition(deps, caller, params.id, body),
  })

  app.get('/property_definitions', {
    config: { scope: 'query:read', unappliedFilters: ['group_type_index'] },
    schema: {
      operationId: 'listPropertyDefinitions',
      summary: 'List property definitions, verified and most frequent first',
      description: `Covers a sample of the newest events of each frequent name, or of the newest persons. Set \`event\` for rarer ones. ${CACHED}`,
      tags,
      params,
      querystring: PropertyDefinitionQuery,
      response: { 200: pageSchema(PropertyDefinition) },
    },
    handler: async (request) => {
      const { search, type = 'event' } = request.query
      const names = type === 'event' ? toEventNames(request.query) : undefined
      const found = await listPropertyDefinitions(deps, request.caller, type, names)
      const fitting = filterProperties(found, request.query)
      return page(request, async (range) => toSlice(fitting, search, toPropertyLabel, range))
    },
  })

  app.get('/property_definitions/:id', {
    config: { scope: 'property_definition:read' },
    schema: {
      operationId: 'getPropertyDefinition',
      summary: 'Get a property definition',
      tags,
      params: PropertyDefinitionParams,
      response: { 200: PropertyDefinition },
    },
    handler: ({ caller, params }) => getPropertyDefinition(deps, caller, params.id),
  })

  app.patch('/property_definitions/:id', {
    config: { scope: 'property_definition:write' },
    schema: {
      operationId: 'patchPropertyDefinition',
      summary: 'Describe, verify or hide a property',
      tags,
      params: PropertyDefinitionParams,
      body: PropertyDefinitionPatch,
      response: { 200: PropertyDefinition },
    },
    handler: ({ caller, params, body }) => patchPropertyDefinition(deps, caller, params.id, body),
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
  toLabel: (name: string) => string,
  { limit, offset }: PageRange,
): Slice<T> {
  const needle = search?.toLowerCase() ?? ''
  const matches = found.filter(({ name }) =>
    [name, toLabel(name)].some((text) => text.toLowerCase().includes(needle)),
  )
  return { count: matches.length, results: matches.slice(offset, offset + limit) }
}
