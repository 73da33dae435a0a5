import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '#server/db/schema.ts'
import { OrganizationParams } from '#server/features/accounts/projects/schema.ts'
import { page, pageSchema } from '#server/http/page.ts'
import { listOrganizationLinks, revokeLinks } from './organization-links.ts'
import { LinksRevoke, LinksRevoked, OrganizationLink, OrganizationLinkQuery } from './schema.ts'

const config = { scope: 'organization:write', adminOnly: true } as const
const tags = ['Sharing']

/** Mounted at /api/organizations/:organization_id/public_links */
export const organizationLinkRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (
  app,
  { db },
) => {
  app.get('', {
    config,
    schema: {
      operationId: 'listOrganizationLinks',
      summary: 'List the public links of all projects, the newest first',
      description: 'Without those that are turned off or lead to the trash.',
      tags,
      params: OrganizationParams,
      querystring: OrganizationLinkQuery,
      response: { 200: pageSchema(OrganizationLink) },
    },
    handler: (request) => {
      const { search, project } = request.query
      return page(request, (range) =>
        listOrganizationLinks(db, { search, projectId: project }, range),
      )
    },
  })

  app.post('/revoke', {
    config,
    schema: {
      operationId: 'revokePublicLinks',
      summary: 'Revoke public links of any projects',
      description: 'All or none. Links that were revoked before are left out.',
      tags,
      params: OrganizationParams,
      body: LinksRevoke,
      response: { 200: LinksRevoked },
    },
    handler: async ({ caller, body }) => ({ revoked: await revokeLinks(db, caller, body.ids) }),
  })
}
