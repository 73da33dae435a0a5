import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { installFormBody } from '#server/http/form-body.ts'
import { requireId } from '#server/http/ids.ts'
import { Conflict, TooLarge } from '#server/http/openapi-document.ts'
import type { PipelineConfigOptions } from './action-routes.ts'
import { createConfig, getConfigRow, patchConfig } from './configs.ts'
import { type ConfigForm, discardForm, readConfigForm } from './form.ts'
import {
  PipelineConfig,
  PipelineConfigCreate,
  PipelineConfigForm,
  PipelineConfigParams,
  PipelineConfigPatch,
  ProjectParams,
} from './schema.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What came as a form and is in no JSON body. */
    configForm: ConfigForm | undefined
  }
}

const tags = ['Import apps']
const takes = { 'multipart/form-data': { schema: PipelineConfigForm } }

/** The two operations that take a form besides JSON: only a form can carry files. */
export const writeRoutes: FastifyPluginAsyncTypebox<PipelineConfigOptions> = async (
  app,
  { db, secrets },
) => {
  await installFormBody(app)
  app.decorateRequest('configForm', undefined)

  // before the body is validated: its fields are held to the same rules as those of a JSON body
  app.addHook('preValidation', async (request) => {
    if (!request.isMultipart()) return
    const { id } = request.params as { id?: string }
    if (id !== undefined) await getConfigRow(db, request.caller.projectId, requireId(id))
    request.configForm = await readConfigForm(db, secrets, request)
    request.body = request.configForm.fields
  })

  app.addHook('onError', async (request: FastifyRequest) => {
    if (request.configForm) await discardForm(db, request.configForm)
  })

  app.post('', {
    config: { scope: 'plugin:write', allowsSlowBody: true },
    schema: {
      operationId: 'createPipelineConfig',
      summary: 'Create an import app config',
      description:
        'The plugin need not be installed: until it is, `error` says so. `order` is one past the last if not given.',
      tags,
      params: ProjectParams,
      body: PipelineConfigCreate,
      takes,
      response: { 201: PipelineConfig, 409: Conflict, 413: TooLarge },
    },
    handler: async (request, reply) => {
      reply.code(201)
      return createConfig(db, secrets, request.caller, request.body, request.configForm)
    },
  })

  app.patch('/:id', {
    config: { scope: 'plugin:write', allowsSlowBody: true },
    schema: {
      operationId: 'patchPipelineConfig',
      summary: 'Change an import app config',
      description:
        '`deleted` true puts it into the trash: disabled and out of the list, but not gone. Another `plugin` does not inherit the secret settings.',
      tags,
      params: PipelineConfigParams,
      body: PipelineConfigPatch,
      takes,
      response: { 200: PipelineConfig, 409: Conflict, 413: TooLarge },
    },
    handler: (request) => {
      const id = requireId(request.params.id)
      return patchConfig(db, secrets, request.caller, id, request.body, request.configForm)
    },
  })
}
