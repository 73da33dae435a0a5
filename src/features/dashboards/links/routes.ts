import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db } from '#server/db/schema.ts'
import { requireId } from '#server/http/ids.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { PageQuery, page, pageSchema } from '#server/http/page.ts'
import { createLink, getLink, getLinkViews, listLinks, patchLink, removeLink } from './links.ts'
import { LinkParams, LinksParams, LinkViews, PublicLink, PublicLinkWrite } from './schema.ts'

const tags = ['Sharing']

interface PathOfLink {
  readonly dashboard_id: string
  readonly link_id: string
}

const toPlace = ({ dashboard_id, link_id }: PathOfLink) => ({
  dashboardId: requireId(dashboard_id, 'Dashboard'),
  linkId: link_id,
})

/** Mounted below a dashboard, at /:dashboard_id/sharing/links */
export const linkRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get('', {
    config: { scope: 'sharing_configuration:read' },
    schema: {
      operationId: 'listPublicLinks',
      summary: 'List the public links of a dashboard, the first one first',
      tags,
      params: LinksParams,
      querystring: PageQuery,
      response: { 200: pageSchema(PublicLink) },
    },
    handler: (request) =>
      page(request, (range) => {
        const dashboardId = requireId(request.params.dashboard_id, 'Dashboard')
        return listLinks(db, request.caller, dashboardId, range)
      }),
  })

  app.post('', {
    config: { scope: 'sharing_configuration:write' },
    schema: {
      operationId: 'createPublicLink',
      summary: 'Add a public link to a dashboard',
      description: 'It works at once, also if the first link is off.',
      tags,
      params: LinksParams,
      body: PublicLinkWrite,
      response: { 201: PublicLink, 409: Conflict },
    },
    handler: ({ caller, params, body }, reply) => {
      reply.code(201)
      const dashboardId = requireId(params.dashboard_id, 'Dashboard')
      return createLink(db, caller, { dashboardId, body })
    },
  })

  app.get('/:link_id', {
    config: { scope: 'sharing_configuration:read' },
    schema: {
      operationId: 'getPublicLink',
      summary: 'Get a public link',
      tags,
      params: LinkParams,
      response: { 200: PublicLink },
    },
    handler: ({ caller, params }) => getLink(db, caller, toPlace(params)),
  })

  app.patch('/:link_id', {
    config: { scope: 'sharing_configuration:write' },
    schema: {
      operationId: 'updatePublicLink',
      summary: 'Change a public link',
      description: 'Changes only the fields sent. A new password applies to everyone at once.',
      tags,
      params: LinkParams,
      body: PublicLinkWrite,
      response: { 200: PublicLink },
    },
    handler: ({ caller, params, body }) => patchLink(db, caller, { ...toPlace(params), body }),
  })

  app.delete('/:link_id', {
    config: { scope: 'sharing_configuration:write' },
    schema: {
      operationId: 'revokePublicLink',
      summary: 'Revoke a public link',
      description: 'Other links keep working. The first link is turned off and gets a new address.',
      tags,
      params: LinkParams,
      response: { 204: Type.Null({ description: 'Revoked.' }) },
    },
    handler: async ({ caller, params }, reply) => {
      await removeLink(db, caller, toPlace(params))
      return sendEmpty(reply, 204)
    },
  })

  app.get('/:link_id/views', {
    config: { scope: 'sharing_configuration:read' },
    schema: {
      operationId: 'getPublicLinkViews',
      summary: 'Get how often a public link was opened by day, the newest day first',
      tags,
      params: LinkParams,
      response: { 200: LinkViews },
    },
    handler: ({ caller, params }) => getLinkViews(db, caller, toPlace(params)),
  })
}
