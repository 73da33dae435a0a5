import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '#server/db/schema.ts'
import { requireId } from '#server/http/ids.ts'
import { PageQuery, page, pageSchema } from '#server/http/page.ts'
import { PipelineConfigParams, ProjectParams } from '../configs/schema.ts'
import { getHealth, listHealth } from './health.ts'
import { ImportHealth } from './schema.ts'

const tags = ['Import apps']

/** Mounted at /api/projects/:project_id */
export const healthRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get('/import_health', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'listImportHealth',
      summary: 'List how the imports of a project are doing',
      tags,
      params: ProjectParams,
      querystring: PageQuery,
      response: { 200: pageSchema(ImportHealth) },
    },
    handler: (request) => page(request, (range) => listHealth(db, request.caller.projectId, range)),
  })

  app.get('/pipeline_import_apps_configs/:id/health', {
    config: { scope: 'plugin:read' },
    schema: {
      operationId: 'getPipelineConfigHealth',
      summary: 'Get how an import is doing',
      tags,
      params: PipelineConfigParams,
      response: { 200: ImportHealth },
    },
    handler: ({ caller, params }) => getHealth(db, caller.projectId, requireId(params.id)),
  })
}
