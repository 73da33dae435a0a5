import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { installFormBody } from '#server/http/form-body.ts'
import { requireId } from '#server/http/ids.ts'
import { Conflict, TooLarge } from '#server/http/openapi-document.ts'
import { parseSettings } from '../setting-rules.ts'
import type { PipelineConfigOptions } from './action-routes.ts'
import { createConfig, getConfigRow } from './configs.ts'
import { type ConfigForm, discardForm, readConfigForm } from './form.ts'
import { patchConfig } from './patch.ts'
import type { FormContent } from './plan-patch.ts'
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
    /** The parsed form, if the request is one. */
    configForm: ConfigForm | undefined
  }
}

const tags = ['Import apps']
const takes = { 'multipart/form-data': { schema: PipelineConfigForm } }

/** Creates and patches configs from forms besides JSON, because only a form can carry files. */
export const formRoutes: FastifyPluginAsyncTypebox<PipelineConfigOptions> = async (app, deps) => {
  const { db } = deps
  await installFormBody(app)
  app.decorateRequest('configForm', undefined)

  // converted before validation, so that forms follow the same rules as JSON bodies
  app.addHook('preValidation', async (request) => {
    if (!request.isMultipart()) return
    const { id } = request.params as { id?: string }
    if (id !== undefined) await getConfigRow(db, request.caller.projectId, requireId(id))
    request.configForm = await readConfigForm(deps, request)
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
        'The plugin need not be installed: until it is, `error` says so. `order` defaults to one past the last.',
      tags,
      params: ProjectParams,
      body: PipelineConfigCreate,
      takes,
      response: { 201: PipelineConfig, 409: Conflict, 413: TooLarge },
    },
    handler: async (request, reply) => {
      reply.code(201)
      return createConfig(deps, request.caller, request.body, toContent(request))
    },
  })

  app.patch('/:id', {
    config: { scope: 'plugin:write', allowsSlowBody: true },
    schema: {
      operationId: 'updatePipelineConfig',
      summary: 'Update an import app config',
      description:
        '`deleted` true moves the config to the trash, which disables it and hides it from the list. A change of `plugin` deletes secret settings. A change of an address requires every secret in the same form.',
      tags,
      params: PipelineConfigParams,
      body: PipelineConfigPatch,
      takes,
      response: { 200: PipelineConfig, 409: Conflict, 413: TooLarge },
    },
    handler: (request) => {
      const id = requireId(request.params.id)
      return patchConfig(deps, request.caller, {
        id,
        patch: request.body,
        form: toContent(request),
      })
    },
  })
}

/** Returns the content of a form, or of a JSON body, which has no files. */
function toContent({ configForm, body }: FastifyRequest): FormContent {
  const { config } = body as PipelineConfigPatch
  const settings = config === undefined ? undefined : parseSettings(config)
  return configForm ?? { settings, uploads: [], removals: [] }
}
