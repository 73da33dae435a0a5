import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { notFound } from '#server/errors.ts'
import { RESOURCE_TYPES, SCHEMAS, SERVICE_PROVIDER_CONFIG } from './discovery.ts'
import { read, send, tags } from './http.ts'
import { toList } from './resources.ts'
import { ScimList, ScimParams, ScimResource } from './schema.ts'

/** Mounted at /scim/v2 */
export const scimDiscoveryRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/ServiceProviderConfig', {
    config: read,
    schema: {
      operationId: 'getScimServiceProviderConfig',
      summary: 'Get what this server supports',
      tags,
      response: { 200: ScimResource },
    },
    handler: async (_request, reply) => send(reply, SERVICE_PROVIDER_CONFIG),
  })

  const lists = [
    { path: '/ResourceTypes', what: 'resource type', items: RESOURCE_TYPES },
    { path: '/Schemas', what: 'schema', items: SCHEMAS },
  ] as const
  for (const { path, what, items } of lists) {
    const name = `Scim${path.slice(1)}`
    app.get(path, {
      config: read,
      schema: {
        operationId: `list${name}`,
        summary: `List ${what}s`,
        tags,
        response: { 200: ScimList },
      },
      handler: async (_request, reply) =>
        send(reply, toList({ count: items.length, results: [...items] }, 0)),
    })
    app.get(`${path}/:id`, {
      config: read,
      schema: {
        operationId: `get${name.slice(0, -1)}`,
        summary: `Get a ${what}`,
        tags,
        params: ScimParams,
        response: { 200: ScimResource },
      },
      handler: async (request, reply) => {
        const { id } = request.params as { id: string }
        const item = [...items].find((each) => each.id === id)
        if (!item) throw notFound()
        return send(reply, item)
      },
    })
  }
}
