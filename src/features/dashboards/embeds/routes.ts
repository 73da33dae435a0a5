import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db } from '#server/db/schema.ts'
import type { Egress } from '#server/egress/egress.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import { Conflict } from '#server/http/openapi-document.ts'
import { PageQuery, page, pageSchema } from '#server/http/page.ts'
import { ProjectOnlyParams } from '#server/http/params.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { createEmbedSecret, listEmbedSecrets, removeEmbedSecret } from './embed-secrets.ts'
import { getEmbedSettings, patchEmbedSettings } from './embed-settings.ts'
import {
  EmbedSecret,
  EmbedSecretParams,
  EmbedSettings,
  EmbedSettingsPatch,
  NewEmbedSecret,
} from './schema.ts'

interface EmbedRoutesOptions {
  readonly db: Db
  readonly secrets: Secrets
  readonly egress: Egress
}

const read = { config: { scope: 'sharing_configuration:read', adminOnly: true } } as const
const write = { config: { scope: 'sharing_configuration:write', adminOnly: true } } as const
const tags = ['Sharing']
const params = ProjectOnlyParams

/** Mounted at /api/projects/:project_id */
export const embedRoutes: FastifyPluginAsyncTypebox<EmbedRoutesOptions> = async (
  app,
  { db, secrets, egress },
) => {
  app.get('/embed_secrets', {
    ...read,
    schema: {
      operationId: 'listEmbedSecrets',
      summary: 'List the secrets that sign embeds, the oldest first',
      description: 'Their values are shown only when they are created. Needs an admin or owner.',
      tags,
      params,
      querystring: PageQuery,
      response: { 200: pageSchema(EmbedSecret) },
    },
    handler: (request) => page(request, (range) => listEmbedSecrets(db, request.caller, range)),
  })

  app.post('/embed_secrets', {
    ...write,
    schema: {
      operationId: 'createEmbedSecret',
      summary: 'Create a secret that signs embeds',
      description:
        'The response shows its value, once. Two can be active: to rotate, create the second, sign with it, and revoke the first. Needs an admin or owner.',
      tags,
      params,
      response: { 201: NewEmbedSecret, 409: Conflict },
    },
    handler: ({ caller }, reply) => {
      reply.code(201)
      return createEmbedSecret({ db, secrets }, caller)
    },
  })

  app.delete('/embed_secrets/:id', {
    ...write,
    schema: {
      operationId: 'revokeEmbedSecret',
      summary: 'Revoke a secret that signs embeds',
      description: 'Embeds that it has signed close at once. Needs an admin or owner.',
      tags,
      params: EmbedSecretParams,
      response: { 204: Type.Null({ description: 'Revoked.' }) },
    },
    handler: async ({ caller, params: { id } }, reply) => {
      await removeEmbedSecret(db, caller, id)
      return sendEmpty(reply, 204)
    },
  })

  app.get('/embed_settings', {
    ...read,
    schema: {
      operationId: 'getEmbedSettings',
      summary: 'Get the settings of signed embeds',
      description: 'Needs an admin or owner.',
      tags,
      params,
      response: { 200: EmbedSettings },
    },
    handler: ({ caller }) => getEmbedSettings(db, caller),
  })

  app.patch('/embed_settings', {
    ...write,
    schema: {
      operationId: 'updateEmbedSettings',
      summary: 'Change the settings of signed embeds',
      description: 'Changes only the fields sent. Needs an admin or owner.',
      tags,
      params,
      body: EmbedSettingsPatch,
      response: { 200: EmbedSettings },
    },
    handler: ({ caller, body }) => patchEmbedSettings({ db, egress }, caller, body),
  })
}
