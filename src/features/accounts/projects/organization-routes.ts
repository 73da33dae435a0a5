import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { Db } from '#server/db/schema.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { PageQuery, page, pageSchema } from '#server/http/page.ts'
import { getOrganization, patchOrganization } from './organization.ts'
import {
  createProject,
  getProject,
  listOwnProjects,
  patchProject,
  toSeenProject,
} from './projects.ts'
import { removeProject } from './remove-project.ts'
import {
  Organization,
  OrganizationParams,
  OrganizationPatch,
  OrganizationProjectParams,
  Project,
  ProjectCreate,
  ProjectPatch,
} from './schema.ts'

interface OrganizationRoutesOptions {
  readonly db: Db
  readonly events: EventStore
}

const read = { config: { scope: 'key', viewers: true } } as const
const write = { config: { scope: 'project:write', adminOnly: true } } as const
const tags = ['Projects']

/** Mounted at /api/organizations */
export const organizationRoutes: FastifyPluginAsyncTypebox<OrganizationRoutesOptions> = async (
  app,
  { db, events },
) => {
  app.get('', {
    ...read,
    schema: {
      operationId: 'listOrganizations',
      summary: 'List your organizations',
      description: 'An installation has one.',
      tags: ['Members'],
      querystring: PageQuery,
      response: { 200: pageSchema(Organization) },
    },
    handler: (request) =>
      page(request, async ({ limit, offset }) => {
        const all = [await getOrganization(db, request.principal)]
        return { count: all.length, results: all.slice(offset, offset + limit) }
      }),
  })

  app.get('/:organization_id', {
    ...read,
    schema: {
      operationId: 'getOrganization',
      summary: 'Get the organization',
      tags: ['Members'],
      params: OrganizationParams,
      response: { 200: Organization },
    },
    handler: ({ principal }) => getOrganization(db, principal),
  })

  app.patch('/:organization_id', {
    config: { scope: 'organization:write', adminOnly: true },
    schema: {
      operationId: 'updateOrganization',
      summary: 'Rename the organization, or set its rules for sign-in and public links',
      tags: ['Members'],
      params: OrganizationParams,
      body: OrganizationPatch,
      response: { 200: Organization },
    },
    handler: ({ principal, body }) => patchOrganization(db, principal, body),
  })

  app.get('/:organization_id/projects', {
    ...read,
    schema: {
      operationId: 'listOrganizationProjects',
      summary: 'List your projects',
      tags,
      params: OrganizationParams,
      querystring: PageQuery,
      response: { 200: pageSchema(Project) },
    },
    handler: (request) => page(request, (range) => listOwnProjects(db, request.principal, range)),
  })

  app.post('/:organization_id/projects', {
    ...write,
    schema: {
      operationId: 'createOrganizationProject',
      summary: 'Create a project in the organization',
      tags,
      params: OrganizationParams,
      body: ProjectCreate,
      response: { 201: Project },
    },
    handler: async ({ principal, body }, reply) => {
      reply.code(201)
      return toSeenProject(principal, await createProject(db, body.name, body.timezone))
    },
  })

  app.get('/:organization_id/projects/:id', {
    ...read,
    schema: {
      operationId: 'getOrganizationProject',
      summary: 'Get a project of the organization',
      tags,
      params: OrganizationProjectParams,
      response: { 200: Project },
    },
    handler: ({ principal, params }) => getProject(db, principal, params.id),
  })

  app.patch('/:organization_id/projects/:id', {
    ...write,
    schema: {
      operationId: 'updateOrganizationProject',
      summary: 'Update a project of the organization',
      tags,
      params: OrganizationProjectParams,
      body: ProjectPatch,
      response: { 200: Project },
    },
    handler: ({ principal, params, body }) => patchProject(db, principal, params.id, body),
  })

  app.delete('/:organization_id/projects/:id', {
    ...write,
    schema: {
      operationId: 'deleteOrganizationProject',
      summary: 'Delete a project with its events, without confirmation',
      description: "`DELETE /api/projects/:id` requires the project's name.",
      tags,
      params: OrganizationProjectParams,
      response: { 204: Type.Null({ description: 'Deleted.' }), 409: Conflict },
    },
    handler: async ({ principal, params }, reply) => {
      await removeProject({ db, events }, principal, { id: params.id })
      return sendEmpty(reply, 204)
    },
  })
}
