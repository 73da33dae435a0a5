import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { requireId } from '#server/http/ids.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { page, pageSchema } from '#server/http/page.ts'
import { actionRoutes, type PipelineConfigOptions } from './action-routes.ts'
import { attachmentRoutes } from './attachment-routes.ts'
import { getConfig, listConfigs, removeConfig } from './configs.ts'
import { formRoutes } from './form-routes.ts'
import { rearrangeConfigs } from './rearrange.ts'
import {
  PipelineConfig,
  PipelineConfigParams,
  PipelineConfigQuery,
  ProjectParams,
  Rearrangement,
} from './schema.ts'

const tags = ['Import apps']

/** Mounted at /api/projects/:project_id/pipeline_import_apps_configs */
export const pipelineConfigRoutes: FastifyPluginAsyncTypebox<PipelineConfigOptions> = async (
  app,
  { db, secrets, migrateByApp },
) => {
  const deps = { db, secrets, migrateByApp } // without the prefix, which would be added twice

  app.get('', {
    config: { scope: 'plugin:read', cached: 'project-by-the-minute' },
    schema: {
      operationId: 'listPipelineConfigs',
      summary: 'List import app configs in order',
      tags,
      params: ProjectParams,
      querystring: PipelineConfigQuery,
      response: { 200: pageSchema(PipelineConfig) },
    },
    handler: (request) => {
      const { deleted = false } = request.query
      const { projectId } = request.caller
      return page(request, (range) => listConfigs(deps, { projectId, deleted }, range))
    },
  })

  await app.register(formRoutes, deps)

  app.patch('/rearrange', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'rearrangePipelineConfigs',
      summary: 'Reorder import app configs',
      description:
        'Either `orders`, or `plugin` and `order` for every config of that plugin. Changes all orders or none.',
      tags,
      params: ProjectParams,
      body: Rearrangement,
      response: {
        200: Type.Array(PipelineConfig, {
          description: 'Every config that is not in the trash, in the new order.',
        }),
      },
    },
    handler: (request) => rearrangeConfigs(deps, request.caller, request.body),
  })

  app.get('/:id', {
    config: { scope: 'plugin:read', cached: 'project-by-the-minute' },
    schema: {
      operationId: 'getPipelineConfig',
      summary: 'Get an import app config',
      tags,
      params: PipelineConfigParams,
      response: { 200: PipelineConfig },
    },
    handler: (request) => getConfig(deps, request.caller.projectId, requireId(request.params.id)),
  })

  app.delete('/:id', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'deletePipelineConfig',
      summary: 'Delete an import app config permanently',
      tags,
      params: PipelineConfigParams,
      response: { 204: Type.Null({ description: 'The config and its runs are deleted.' }) },
    },
    handler: async (request, reply) => {
      await removeConfig(db, request.caller, requireId(request.params.id))
      return sendEmpty(reply, 204)
    },
  })

  await app.register(actionRoutes, deps)
  await app.register(attachmentRoutes, deps)
}
