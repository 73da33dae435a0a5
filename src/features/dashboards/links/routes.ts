import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db } from '#server/db/schema.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { PageQuery, page, pageSchema } from '#server/http/page.ts'
import { idOrText, integerId, type PathParameter, ProjectId } from '#server/http/params.ts'
import { createLink, getLink, getLinkViews, listLinks, patchLink, removeLink } from './links.ts'
import { type GetOwner, getDashboardOwner, getInsightOwner } from './owners.ts'
import { LinkViews, PublicLink, PublicLinkWrite } from './schema.ts'

/** Dashboards or insights, whose links have the same routes. */
interface LinkSource {
  readonly getOwner: GetOwner
  /** The parameter of the path with the ID of the owner. */
  readonly parameter: { readonly name: string; readonly schema: PathParameter }
  /** A part of the operation IDs. */
  readonly infix: '' | 'Insight'
  readonly noun: 'a dashboard' | 'an insight'
  /** Explains how links relate to the first one, which only a dashboard has. */
  readonly docs: Readonly<Record<'list' | 'add' | 'revoke', string>>
}

/** Mounted at /dashboards/:dashboard_id/sharing/links */
export const dashboardLinkRoutes = linkRoutes({
  getOwner: getDashboardOwner,
  parameter: { name: 'dashboard_id', schema: integerId('a dashboard') },
  infix: '',
  noun: 'a dashboard',
  docs: {
    list: 'List the public links of a dashboard, the first one first',
    add: 'It works at once, also if the first link is off.',
    revoke: 'Other links keep working. The first link is turned off and gets a new address.',
  },
})

/** Mounted at /insights/:insight_id/sharing/links */
export const insightLinkRoutes = linkRoutes({
  getOwner: getInsightOwner,
  parameter: { name: 'insight_id', schema: idOrText("The insight's `id` or `short_id`.") },
  infix: 'Insight',
  noun: 'an insight',
  docs: {
    list: 'List the public links of an insight',
    add: 'It works at once.',
    revoke: 'Other links keep working.',
  },
})

type Params = Readonly<Record<string, string>>

/** Creates the routes of the links of dashboards or insights. */
function linkRoutes({
  getOwner,
  parameter: { name, schema },
  infix,
  noun,
  docs,
}: LinkSource): FastifyPluginAsyncTypebox<{ db: Db }> {
  const tags = ['Sharing']
  const ofOwner = { project_id: ProjectId, [name]: schema }
  const ownerParams = Type.Object(ofOwner)
  const params = Type.Object({ ...ofOwner, link_id: integerId('a public link') })
  const toOwner = (path: unknown) => ({ getOwner, ownerId: (path as Params)[name] as string })
  const toPlace = (path: unknown) => ({
    ...toOwner(path),
    linkId: (path as Params).link_id as string,
  })

  return async (app, { db }) => {
    app.get('', {
      config: { scope: 'sharing_configuration:read' },
      schema: {
        operationId: `list${infix}PublicLinks`,
        summary: docs.list,
        tags,
        params: ownerParams,
        querystring: PageQuery,
        response: { 200: pageSchema(PublicLink) },
      },
      handler: (request) =>
        page(request, (range) => listLinks(db, request.caller, toOwner(request.params), range)),
    })

    app.post('', {
      config: { scope: 'sharing_configuration:write' },
      schema: {
        operationId: `create${infix}PublicLink`,
        summary: `Add a public link to ${noun}`,
        description: docs.add,
        tags,
        params: ownerParams,
        body: PublicLinkWrite,
        response: { 201: PublicLink, 409: Conflict },
      },
      handler: (request, reply) => {
        reply.code(201)
        return createLink(db, request.caller, { ...toOwner(request.params), body: request.body })
      },
    })

    app.get('/:link_id', {
      config: { scope: 'sharing_configuration:read' },
      schema: {
        operationId: `get${infix}PublicLink`,
        summary: `Get a public link of ${noun}`,
        tags,
        params,
        response: { 200: PublicLink },
      },
      handler: (request) => getLink(db, request.caller, toPlace(request.params)),
    })

    app.patch('/:link_id', {
      config: { scope: 'sharing_configuration:write' },
      schema: {
        operationId: `update${infix}PublicLink`,
        summary: `Change a public link of ${noun}`,
        description: 'Changes only the fields sent. A new password applies to everyone at once.',
        tags,
        params,
        body: PublicLinkWrite,
        response: { 200: PublicLink },
      },
      handler: (request) =>
        patchLink(db, request.caller, { ...toPlace(request.params), body: request.body }),
    })

    app.delete('/:link_id', {
      config: { scope: 'sharing_configuration:write' },
      schema: {
        operationId: `revoke${infix}PublicLink`,
        summary: `Revoke a public link of ${noun}`,
        description: docs.revoke,
        tags,
        params,
        response: { 204: Type.Null({ description: 'Revoked.' }) },
      },
      handler: async (request, reply) => {
        await removeLink(db, request.caller, toPlace(request.params))
        return sendEmpty(reply, 204)
      },
    })

    app.get('/:link_id/views', {
      config: { scope: 'sharing_configuration:read' },
      schema: {
        operationId: `get${infix}PublicLinkViews`,
        summary: `Get the views of a public link of ${noun} by day`,
        description: 'How often it was opened, the newest day first.',
        tags,
        params,
        response: { 200: LinkViews },
      },
      handler: (request) => getLinkViews(db, request.caller, toPlace(request.params)),
    })
  }
}
