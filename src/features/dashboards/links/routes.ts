import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Db } from '#server/db/schema.ts'
import { toRequestPolicy } from '#server/features/results/cache/refresh.ts'
import type { Results } from '#server/features/results/results.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { PageQuery, page, pageSchema } from '#server/http/page.ts'
import { idOrText, integerId, type PathParameter, ProjectId } from '#server/http/params.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { addGuest, listGuests, removeGuest } from './guests.ts'
import { createLink, getLink, getLinkViews, listLinks, patchLink, removeLink } from './links.ts'
import { type GetOwner, getDashboardOwner, getInsightOwner } from './owners.ts'
import {
  LinkGuest,
  LinkGuestCreate,
  LinkViews,
  LinkViewsQuery,
  PublicLink,
  PublicLinkWrite,
} from './schema.ts'

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

export interface LinkRoutesOptions {
  readonly db: Db
  readonly results: Results
  readonly mailer: Mailer
}

type Params = Readonly<Record<string, string>>

/** Creates the routes of the links of dashboards or insights. */
function linkRoutes({
  getOwner,
  parameter: { name, schema },
  infix,
  noun,
  docs,
}: LinkSource): FastifyPluginAsyncTypebox<LinkRoutesOptions> {
  const tags = ['Sharing']
  const ofOwner = { project_id: ProjectId, [name]: schema }
  const ownerParams = Type.Object(ofOwner)
  const params = Type.Object({ ...ofOwner, link_id: integerId('a public link') })
  const guestParams = Type.Object({ ...params.properties, guest_id: integerId('a guest') })
  const toOwner = (path: unknown) => ({ getOwner, ownerId: (path as Params)[name] as string })
  const toPlace = (path: unknown) => ({
    ...toOwner(path),
    linkId: (path as Params).link_id as string,
  })

  return async (app, { db, results, mailer }) => {
    const toDeps = (request: FastifyRequest, reply: FastifyReply) => ({
      db,
      results,
      canMail: mailer.isConfigured,
      policy: toRequestPolicy('blocking', request, reply),
    })

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
        return createLink(toDeps(request, reply), request.caller, {
          ...toOwner(request.params),
          body: request.body,
        })
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
      handler: (request, reply) =>
        patchLink(toDeps(request, reply), request.caller, {
          ...toPlace(request.params),
          body: request.body,
        }),
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
        description:
          'How often it was opened, the newest day first, and by which guests. IP addresses are not stored.',
        tags,
        params,
        querystring: LinkViewsQuery,
        response: { 200: LinkViews },
      },
      handler: (request) =>
        getLinkViews(db, request.caller, {
          ...toPlace(request.params),
          guest: request.query.guest,
        }),
    })

    app.get('/:link_id/guests', {
      config: { scope: 'sharing_configuration:read' },
      schema: {
        operationId: `list${infix}PublicLinkGuests`,
        summary: `List the guests of a public link of ${noun}`,
        tags,
        params,
        querystring: PageQuery,
        response: { 200: pageSchema(LinkGuest) },
      },
      handler: (request) =>
        page(request, (range) => listGuests(db, request.caller, toPlace(request.params), range)),
    })

    app.post('/:link_id/guests', {
      config: { scope: 'sharing_configuration:write' },
      schema: {
        operationId: `add${infix}PublicLinkGuest`,
        summary: `Invite a guest to a public link of ${noun}`,
        description:
          'An e-mail address, or everyone at a domain. They are let in while the `audience` of the link is `people`. They get no mail until they open the link and ask for a code.',
        tags,
        params,
        body: LinkGuestCreate,
        response: { 201: LinkGuest, 409: Conflict },
      },
      handler: (request, reply) => {
        reply.code(201)
        return addGuest(db, request.caller, { ...toPlace(request.params), body: request.body })
      },
    })

    app.delete('/:link_id/guests/:guest_id', {
      config: { scope: 'sharing_configuration:write' },
      schema: {
        operationId: `remove${infix}PublicLinkGuest`,
        summary: `Remove a guest of a public link of ${noun}`,
        description: 'Pages that they have open close.',
        tags,
        params: guestParams,
        response: { 204: Type.Null({ description: 'Removed.' }) },
      },
      handler: async (request, reply) => {
        const guestId = (request.params as Params).guest_id as string
        await removeGuest(db, request.caller, { ...toPlace(request.params), guestId })
        return sendEmpty(reply, 204)
      },
    })
  }
}
