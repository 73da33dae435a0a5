import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { whileAllowed } from '#server/access/while-allowed.ts'
import { invalid } from '#server/errors.ts'
import { requireId } from '#server/http/ids.ts'
import { AppProblem } from '#server/runtime/contract.ts'
import { PipelineConfigParams } from '../configs/schema.ts'
import { type PreviewDeps, previewConfig } from './preview.ts'
import { ConfigPreview, PreviewRequest } from './schema.ts'

/** Mounted at /api/projects/:project_id/pipeline_import_apps_configs */
export const previewRoutes: FastifyPluginAsyncTypebox<PreviewDeps> = async (
  app,
  { db, secrets, runtime, converter },
) => {
  app.post('/:id/preview', {
    config: { scope: 'plugin:write' },
    schema: {
      operationId: 'previewPipelineConfig',
      summary: 'Preview what an import app config would import',
      description:
        'Runs the app once in the sandbox with these settings and files, and returns its first events and the columns that it found. Nothing is stored, the settings included. A change of an address requires every secret, as in an update.',
      tags: ['Import apps'],
      params: PipelineConfigParams,
      body: PreviewRequest,
      response: { 200: ConfigPreview },
    },
    handler: (request) =>
      whileAllowed(request, (signal) =>
        previewConfig({ db, secrets, runtime, converter }, request.caller, {
          id: requireId(request.params.id),
          request: request.body,
          signal,
        }),
      ).catch((error) => {
        throw error instanceof AppProblem ? invalid('settings', error.message) : error
      }),
  })
}
