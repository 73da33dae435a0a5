import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db } from '#server/db/schema.ts'
import { requireId } from '#server/http/ids.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { Conflict, VersionConflict } from '#server/http/openapi-document.ts'
import { PipelineConfigParams } from '../configs/schema.ts'
import { ImportState, ImportStatePut, StateVersion } from './schema.ts'
import { getState, putState, removeState } from './state.ts'

const tags = ['Import apps']
const params = PipelineConfigParams
const REFUSED = { 409: Conflict, 412: VersionConflict }

/** Mounted at the same prefix as the routes of configs. Reading takes `plugin:write`, because apps may store secrets. */
export const stateRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get('/:id/state', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'getPipelineConfigState',
      summary: 'Get what an import app remembers between its runs',
      description: 'The values of `meta.storage`, such as the cursor of an import.',
      tags,
      params,
      response: { 200: ImportState, 409: Conflict },
    },
    handler: ({ caller, params }) => getState(db, caller.projectId, requireId(params.id)),
  })

  app.put('/:id/state', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'replacePipelineConfigState',
      summary: 'Replace what an import app remembers between its runs',
      description:
        'Values that are not sent are deleted. 412 if `version` is not the current one; 409 while a run is active.',
      tags,
      params,
      body: ImportStatePut,
      response: { 200: ImportState, ...REFUSED },
    },
    handler: ({ caller, params, body }) => putState(db, caller, requireId(params.id), body),
  })

  app.delete('/:id/state', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'deletePipelineConfigState',
      summary: 'Delete what an import app remembers between its runs',
      description: 'The next run starts as the first did. 409 while a run is active.',
      tags,
      params,
      querystring: StateVersion,
      response: { 204: Type.Null({ description: 'The state is empty.' }), ...REFUSED },
    },
    handler: async ({ caller, params, query }, reply) => {
      await removeState(db, caller, requireId(params.id), query.version)
      return sendEmpty(reply, 204)
    },
  })
}
