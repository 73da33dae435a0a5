import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db } from '../../db/schema.ts'
import { requireId } from '../../http/ids.ts'
import { sendNothing } from '../../http/negotiation.ts'
import { Conflict } from '../../http/openapi-document.ts'
import { page, pageOf } from '../../http/page.ts'
import { actionRoutes } from './action-routes.ts'
import {
  createConfig,
  getConfig,
  listConfigs,
  patchConfig,
  removeConfig,
} from './pipeline-configs.ts'
import { rearrangeConfigs } from './rearrange.ts'
import {
  PipelineConfig,
  PipelineConfigCreate,
  PipelineConfigParams,
  PipelineConfigPatch,
  PipelineConfigQuery,
  ProjectParams,
  Rearrangement,
} from './schema.ts'

const tags = ['Import apps']

/** Mounted at /api/projects/:project_id/pipeline_import_apps_configs */
export const pipelineConfigRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get('', {
    config: { scope: 'plugin:read', cached: 'project-by-the-minute' },
    schema: {
      operationId: 'listPipelineConfigs',
      summary: 'List import app configs in their order',
      tags,
      params: ProjectParams,
      querystring: PipelineConfigQuery,
      response: { 200: pageOf(PipelineConfig) },
    },
    handler: (request) => {
      const { deleted = false } = request.query
      return page(request, (window) => listConfigs(db, request.caller.projectId, deleted, window))
    },
  })

  app.post('', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'createPipelineConfig',
      summary: 'Create an import app config',
      description:
        'The plugin need not be installed: until it is, `error` says so. `order` is one past the last if not given.',
      tags,
      params: ProjectParams,
      body: PipelineConfigCreate,
      response: { 201: PipelineConfig },
    },
    handler: async (request, reply) => {
      reply.code(201)
      return createConfig(db, request.caller, request.body)
    },
  })

  app.patch('/rearrange', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'rearrangePipelineConfigs',
      summary: 'Change the order of import app configs',
      description:
        'Either `orders`, or `plugin` and `order` for every config of that plugin. All or nothing.',
      tags,
      params: ProjectParams,
      body: Rearrangement,
      response: {
        200: Type.Array(PipelineConfig, {
          description: 'Every config that is not in the trash, in the new order.',
        }),
      },
    },
    handler: (request) => rearrangeConfigs(db, request.caller, request.body),
  })

  app.get('/:id', {
    config: { scope: 'plugin:read', cached: 'project-by-the-minute' },
    schema: {
      operationId: 'getPipelineConfig',
      summary: 'Read an import app config',
      tags,
      params: PipelineConfigParams,
      response: { 200: PipelineConfig },
    },
    handler: (request) => getConfig(db, request.caller.projectId, requireId(request.params.id)),
  })

  app.patch('/:id', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'patchPipelineConfig',
      summary: 'Change an import app config',
      description:
        '`deleted` true puts it into the trash: disabled and out of the list, but not gone. Another `plugin` does not inherit the secret settings.',
      tags,
      params: PipelineConfigParams,
      body: PipelineConfigPatch,
      response: { 200: PipelineConfig, 409: Conflict },
    },
    handler: (request) =>
      patchConfig(db, request.caller, requireId(request.params.id), request.body),
  })

  app.delete('/:id', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'removePipelineConfig',
      summary: 'Remove an import app config for good',
      tags,
      params: PipelineConfigParams,
      response: { 204: Type.Null({ description: 'It is gone, and its runs with it.' }) },
    },
    handler: async (request, reply) => {
      await removeConfig(db, request.caller, requireId(request.params.id))
      return sendNothing(reply, 204)
    },
  })

  await app.register(actionRoutes, { db })
}
