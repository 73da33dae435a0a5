import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../db/schema.ts'
import { PageQuery, page, pageOf } from '../../http/page.ts'
import { getMe, getProject, patchProject, visibleProjects } from './projects.ts'
import { Me, Project, ProjectParams, ProjectPatch } from './schema.ts'
import { listProjects } from './store.ts'

/** Mounted at /api */
export const projectRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get('/projects', {
    config: { scope: 'key' },
    schema: {
      operationId: 'listProjects',
      summary: 'List the projects that the key reaches',
      tags: ['Projects'],
      querystring: PageQuery,
      response: { 200: pageOf(Project) },
    },
    handler: (request) =>
      page(request, (window) => listProjects(db, visibleProjects(request.keyHolder), window)),
  })

  app.get('/projects/:id', {
    config: { scope: 'key' },
    schema: {
      operationId: 'getProject',
      summary: 'Read a project',
      tags: ['Projects'],
      params: ProjectParams,
      response: { 200: Project },
    },
    handler: (request) => getProject(db, request.keyHolder, request.params.id),
  })

  app.patch('/projects/:id', {
    config: { scope: 'project:write', adminOnly: true },
    schema: {
      operationId: 'patchProject',
      summary: "Change a project's name, time zone or retention",
      tags: ['Projects'],
      params: ProjectParams,
      body: ProjectPatch,
      response: { 200: Project },
    },
    handler: (request) => patchProject(db, request.keyHolder, request.params.id, request.body),
  })

  app.get('/users/@me', {
    config: { scope: 'key' },
    schema: {
      operationId: 'getMe',
      summary: 'Read who the key belongs to',
      tags: ['Projects'],
      response: { 200: Me },
    },
    handler: (request) => getMe(db, request.keyHolder),
  })
}
