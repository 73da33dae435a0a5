import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '#server/db/schema.ts'
import { OrganizationParams } from '#server/features/accounts/projects/schema.ts'
import { page, pageSchema } from '#server/http/page.ts'
import { listCatalog } from './catalog.ts'
import { CatalogApp, CatalogQuery } from './schema.ts'

/** Mounted at /api/organizations/:organization_id/plugin_catalog */
export const catalogRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get('', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'listPluginCatalog',
      summary: 'List the apps that a project can use',
      description: 'The built-in apps and those that are installed, by category.',
      tags: ['Plugins'],
      params: OrganizationParams,
      querystring: CatalogQuery,
      response: { 200: pageSchema(CatalogApp) },
    },
    handler: (request) => page(request, (range) => listCatalog(db, request.query, range)),
  })
}
