import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { clearSessionCookie } from '#server/access/session-cookie.ts'
import type { Db } from '#server/db/schema.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { PageQuery, page, pageSchema } from '#server/http/page.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import { OrganizationParams } from '../projects/schema.ts'
import {
  leaveOrganization,
  listOrganizationMembers,
  patchOrganizationMember,
  removeOrganizationMember,
} from './organization-members.ts'
import {
  addProjectMember,
  listProjectMembers,
  patchProjectMember,
  removeProjectMember,
} from './project-members.ts'
import {
  OrganizationMember,
  OrganizationMemberParams,
  OrganizationMemberPatch,
  OrganizationMemberQuery,
  ProjectMember,
  ProjectMemberCreate,
  ProjectMemberParams,
  ProjectMemberPatch,
} from './schema.ts'

const tags = ['Members']

/** Mounted at /api/organizations/:organization_id/members */
export const organizationMemberRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (
  app,
  { db },
) => {
  app.get('', {
    config: {
      scope: 'organization_member:read',
      unappliedFilters: ['order', 'email', 'updated_after'],
    },
    schema: {
      operationId: 'listOrganizationMembers',
      summary: 'List members of the organization by name',
      tags,
      params: OrganizationParams,
      querystring: OrganizationMemberQuery,
      response: { 200: pageSchema(OrganizationMember) },
    },
    handler: (request) => {
      const { principal, query } = request
      return page(request, (range) => listOrganizationMembers(db, principal, query.search, range))
    },
  })

  app.patch('/:user__uuid', {
    config: { scope: 'organization_member:write', adminOnly: true },
    schema: {
      operationId: 'updateOrganizationMember',
      summary: "Change a member's role",
      description: 'Only owners can promote or change owners. There must be at least one owner.',
      tags,
      params: OrganizationMemberParams,
      body: OrganizationMemberPatch,
      response: { 200: OrganizationMember, 409: Conflict },
    },
    handler: ({ caller, params, body }) =>
      patchOrganizationMember(db, caller, params.user__uuid, body.level),
  })

  app.delete('/@me', {
    config: { scope: 'account', viewers: true },
    schema: {
      operationId: 'leaveOrganization',
      summary: 'Leave the organization',
      description:
        'Deletes your keys, sessions and invites. What you created stays. The last owner cannot leave.',
      tags,
      params: OrganizationParams,
      response: { 204: Type.Null({ description: 'You are no longer a member.' }), 409: Conflict },
    },
    handler: async (request, reply) => {
      await leaveOrganization(db, request.caller)
      clearSessionCookie(request, reply)
      return sendEmpty(reply, 204)
    },
  })

  app.delete('/:user__uuid', {
    config: { scope: 'organization_member:write', adminOnly: true },
    schema: {
      operationId: 'removeOrganizationMember',
      summary: 'Remove a member from the organization',
      description: 'Deletes their keys, sessions and invites. Their work stays.',
      tags,
      params: OrganizationMemberParams,
      response: { 204: Type.Null({ description: 'Removed.' }), 409: Conflict },
    },
    handler: async ({ caller, params }, reply) => {
      await removeOrganizationMember(db, caller, params.user__uuid)
      return sendEmpty(reply, 204)
    },
  })
}

/** Mounted at /api/projects/:project_id/members */
export const projectMemberRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get('', {
    config: { scope: 'organization_member:read', viewers: true },
    schema: {
      operationId: 'listProjectMembers',
      summary: 'List users with access to the project by name',
      tags,
      params: ProjectOnlyParams,
      querystring: PageQuery,
      response: { 200: pageSchema(ProjectMember) },
    },
    handler: (request) =>
      page(request, (range) => listProjectMembers(db, request.caller.projectId, range)),
  })

  app.post('', {
    config: { scope: 'organization_member:write', adminOnly: true },
    schema: {
      operationId: 'addProjectMember',
      summary: 'Add a user to the project, as a member or viewer',
      tags,
      params: ProjectOnlyParams,
      body: ProjectMemberCreate,
      response: { 201: ProjectMember, 409: Conflict },
    },
    handler: async ({ caller, body }, reply) => {
      reply.code(201)
      return addProjectMember(db, caller, body)
    },
  })

  app.patch('/:user__uuid', {
    config: { scope: 'organization_member:write', adminOnly: true },
    schema: {
      operationId: 'updateProjectMember',
      summary: 'Make a user a member or viewer of the project',
      description:
        'Has no effect while the user is an admin or owner of the organization. Someone who was not added to the project cannot be changed.',
      tags,
      params: ProjectMemberParams,
      body: ProjectMemberPatch,
      response: { 200: ProjectMember, 409: Conflict },
    },
    handler: ({ caller, params, body }) =>
      patchProjectMember(db, caller, params.user__uuid, body.access_level),
  })

  app.delete('/:user__uuid', {
    config: { scope: 'organization_member:write', adminOnly: true },
    schema: {
      operationId: 'removeProjectMember',
      summary: 'Remove a user from the project',
      description: 'Admins and owners keep access.',
      tags,
      params: ProjectMemberParams,
      response: { 204: Type.Null({ description: 'Removed.' }) },
    },
    handler: async ({ caller, params }, reply) => {
      await removeProjectMember(db, caller, params.user__uuid)
      return sendEmpty(reply, 204)
    },
  })
}
