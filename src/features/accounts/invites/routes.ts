import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { startSession } from '#server/access/sessions.ts'
import type { Db } from '#server/db/schema.ts'
import { findLinkOrigin } from '#server/http/link-origin.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { PageQuery, page, pageSchema } from '#server/http/page.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { OrganizationParams } from '../projects/schema.ts'
import { type ProviderDoor, requireOtherWaysIn } from '../sessions/password-door.ts'
import { User } from '../users/schema.ts'
import { findUser, toUser } from '../users/store.ts'
import { acceptInvite, createInvite, getInviteInfo, removeInvite } from './invites.ts'
import {
  Invite,
  InviteAccept,
  InviteCreate,
  InviteInfo,
  InviteParams,
  InviteTokenParams,
  InviteWithLink,
} from './schema.ts'
import { listInvites } from './store.ts'

const tags = ['Members']

export interface InviteRoutesOptions {
  readonly db: Db
  readonly mailer: Mailer
  /** The configured public URL of the service. */
  readonly url: string | undefined
  /** undefined: there is no identity provider. */
  readonly oidc: ProviderDoor | undefined
}

/** Mounted at /api */
export const inviteRoutes: FastifyPluginAsyncTypebox<InviteRoutesOptions> = async (
  app,
  { db, mailer, url, oidc },
) => {
  app.get('/organizations/:organization_id/invites', {
    config: { scope: 'organization_member:read', adminOnly: true },
    schema: {
      operationId: 'listInvites',
      summary: 'List pending invites, newest first',
      tags,
      params: OrganizationParams,
      querystring: PageQuery,
      response: { 200: pageSchema(Invite) },
    },
    handler: (request) => page(request, (range) => listInvites(db, range)),
  })

  app.post('/organizations/:organization_id/invites', {
    config: { scope: 'organization_member:write', adminOnly: true },
    schema: {
      operationId: 'createInvite',
      summary: 'Create an invite',
      description:
        '`link` is shown only once. It can be used once and expires in 7 days. If the invite has an e-mail address and the server can send e-mail, the link is also sent there. Without the setting `HEDGEROW_URL` the link is a path, unless you call the server at a loopback address, and is not sent.',
      tags,
      params: OrganizationParams,
      body: InviteCreate,
      response: { 201: InviteWithLink },
    },
    handler: async (request, reply) => {
      requireOtherWaysIn(oidc)
      reply.code(201)
      return createInvite(
        { db, mailer, origin: findLinkOrigin(request, url) },
        request.caller,
        request.body,
      )
    },
  })

  app.delete('/organizations/:organization_id/invites/:id', {
    config: { scope: 'organization_member:write', adminOnly: true },
    schema: {
      operationId: 'deleteInvite',
      summary: 'Withdraw an invite',
      tags,
      params: InviteParams,
      response: { 204: Type.Null({ description: 'The link no longer works.' }) },
    },
    handler: async ({ params }, reply) => {
      await removeInvite(db, params.id)
      return sendEmpty(reply, 204)
    },
  })

  app.get('/invites/:token', {
    config: { scope: 'public' },
    schema: {
      operationId: 'getInvite',
      summary: 'Get the invite behind a link',
      tags,
      params: InviteTokenParams,
      response: { 200: InviteInfo },
    },
    handler: ({ params }) => getInviteInfo(db, params.token),
  })

  app.post('/invites/:token', {
    config: { scope: 'public', pages: 'own' },
    schema: {
      operationId: 'acceptInvite',
      summary: 'Accept an invite: creates the user and signs them in',
      description: 'Sets the cookie `hedgerow_session`, over HTTPS `__Host-hedgerow_session`.',
      tags,
      params: InviteTokenParams,
      body: InviteAccept,
      response: { 201: User },
    },
    handler: async (request, reply) => {
      requireOtherWaysIn(oidc)
      const { id } = await acceptInvite(db, request.params.token, request.body)
      await startSession(db, reply, id)
      const user = await findUser(db, id)
      if (!user) throw new Error(`The user ${id} was not inserted`)
      reply.code(201)
      return toUser(user)
    },
  })
}
