import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { EventStore } from '#server/analytics/event-store.ts'
import type { Db } from '#server/db/schema.ts'
import { forbidden } from '#server/errors.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { PageQuery, page, pageSchema } from '#server/http/page.ts'
import {
  createProject,
  getMe,
  getProject,
  listOwnProjects,
  patchProject,
  rotateToken,
  toSeenProject,
} from './projects.ts'
import { removeProject } from './remove-project.ts'
import {
  Me,
  Project,
  ProjectCreate,
  ProjectDelete,
  ProjectIdParams,
  ProjectPatch,
} from './schema.ts'

interface ProjectRoutesOptions {
  readonly db: Db
  readonly events: EventStore
}

/** Mounted at /api */
export const projectRoutes: FastifyPluginAsyncTypebox<ProjectRoutesOptions> = async (
  app,
  { db, events },
) => {
  app.get('/projects', {
    config: { scope: 'key', viewers: true },
    schema: {
      operationId: 'listProjects',
      summary: 'List your projects',
      tags: ['Projects'],
      querystring: PageQuery,
      response: { 200: pageSchema(Project) },
    },
    handler: (request) => page(request, (range) => listOwnProjects(db, request.principal, range)),
  })

  app.post('/projects', {
    config: { scope: 'project:write', adminOnly: true },
    schema: {
      operationId: 'createProject',
      summary: 'Create a project',
      tags: ['Projects'],
      body: ProjectCreate,
      response: { 201: Project },
    },
    handler: async ({ principal, body }, reply) => {
      if (principal.projects) throw forbidden('API key is limited to existing projects.')
      reply.code(201)
      return toSeenProject(principal, await createProject(db, body.name, body.timezone))
    },
  })

  app.get('/projects/:id', {
    config: { scope: 'key', viewers: true },
    schema: {
      operationId: 'getProject',
      summary: 'Get a project',
      tags: ['Projects'],
      params: ProjectIdParams,
      response: { 200: Project },
    },
    handler: (request) => getProject(db, request.principal, request.params.id),
  })

  app.patch('/projects/:id', {
    config: { scope: 'project:write', adminOnly: true },
    schema: {
      operationId: 'updateProject',
      summary: 'Update a project',
      tags: ['Projects'],
      params: ProjectIdParams,
      body: ProjectPatch,
      response: { 200: Project },
    },
    handler: (request) => patchProject(db, request.principal, request.params.id, request.body),
  })

  app.delete('/projects/:id', {
    config: { scope: 'project:write', adminOnly: true },
    schema: {
      operationId: 'deleteProject',
      summary: 'Delete a project with its events and everything in it',
      tags: ['Projects'],
      params: ProjectIdParams,
      querystring: ProjectDelete,
      response: { 204: Type.Null({ description: 'Deleted.' }), 409: Conflict },
    },
    handler: async ({ principal, params, query }, reply) => {
      await removeProject({ db, events }, principal, { ...params, ...query })
      return sendEmpty(reply, 204)
    },
  })

  app.post('/projects/:id/rotate_token', {
    config: { scope: 'project:write', adminOnly: true },
    schema: {
      operationId: 'rotateProjectToken',
      summary: 'Replace the token for sending events',
      description: 'The old token no longer works.',
      tags: ['Projects'],
      params: ProjectIdParams,
      response: { 200: Project },
    },
    handler: ({ principal, params }) => rotateToken(db, principal, params.id),
  })

  app.get('/users/@me', {
    config: { scope: 'key', viewers: true, withoutSecondFactor: true },
    schema: {
      operationId: 'getMe',
      summary: 'Get your user account',
      tags: ['Projects'],
      response: { 200: Me },
    },
    handler: (request) => getMe(db, request.principal),
  })
}
