import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Db } from '#server/db/schema.ts'
import { sendEmpty } from '#server/http/negotiation.ts'
import {
  createPersonalApiKey,
  getPersonalApiKey,
  listPersonalApiKeys,
  patchPersonalApiKey,
  removePersonalApiKey,
  rollPersonalApiKey,
} from './personal-api-keys.ts'
import {
  PersonalApiKey,
  PersonalApiKeyCreate,
  PersonalApiKeyParams,
  PersonalApiKeyPatch,
} from './schema.ts'

const tags = ['API keys']

/** Mounted at /api/personal_api_keys */
export const apiKeyRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get('', {
    config: { scope: 'personal_api_key:read', viewers: true },
    schema: {
      operationId: 'listPersonalApiKeys',
      summary: 'List your API keys, newest first',
      tags,
      response: { 200: Type.Array(PersonalApiKey) },
    },
    handler: ({ principal }) => listPersonalApiKeys(db, principal),
  })

  app.post('', {
    config: { scope: 'personal_api_key:write', viewers: true },
    schema: {
      operationId: 'createPersonalApiKey',
      summary: 'Create an API key',
      description:
        '`value` is shown only once. A key cannot create one with more scopes, more projects or a later expiry than its own.',
      tags,
      body: PersonalApiKeyCreate,
      response: { 201: PersonalApiKey },
    },
    handler: async ({ principal, body }, reply) => {
      reply.code(201)
      return createPersonalApiKey(db, principal, body)
    },
  })

  app.get('/@current', {
    config: { scope: 'key', viewers: true },
    schema: {
      operationId: 'getCurrentPersonalApiKey',
      summary: 'Get the API key of this request',
      tags,
      response: { 200: PersonalApiKey },
    },
    handler: ({ principal }) => getPersonalApiKey(db, principal, principal.keyId),
  })

  app.get('/:id', {
    config: { scope: 'personal_api_key:read', viewers: true },
    schema: {
      operationId: 'getPersonalApiKey',
      summary: 'Get one of your API keys',
      tags,
      params: PersonalApiKeyParams,
      response: { 200: PersonalApiKey },
    },
    handler: ({ principal, params }) => getPersonalApiKey(db, principal, params.id),
  })

  app.patch('/:id', {
    config: { scope: 'personal_api_key:write', viewers: true },
    schema: {
      operationId: 'updatePersonalApiKey',
      summary: 'Update one of your API keys',
      description: 'Changes only the given fields. The value stays.',
      tags,
      params: PersonalApiKeyParams,
      body: PersonalApiKeyPatch,
      response: { 200: PersonalApiKey },
    },
    handler: ({ principal, params, body }) => patchPersonalApiKey(db, principal, params.id, body),
  })

  app.delete('/:id', {
    config: { scope: 'personal_api_key:write', viewers: true },
    schema: {
      operationId: 'deletePersonalApiKey',
      summary: 'Delete one of your API keys',
      tags,
      params: PersonalApiKeyParams,
      response: { 204: Type.Null({ description: 'The key no longer works.' }) },
    },
    handler: async ({ principal, params }, reply) => {
      await removePersonalApiKey(db, principal, params.id)
      return sendEmpty(reply, 204)
    },
  })

  app.post('/:id/roll', {
    config: { scope: 'personal_api_key:write', viewers: true },
    schema: {
      operationId: 'rollPersonalApiKey',
      summary: 'Roll an API key',
      description: 'The old value no longer works. The new `value` is shown only once.',
      tags,
      params: PersonalApiKeyParams,
      response: { 200: PersonalApiKey },
    },
    handler: ({ principal, params }) => rollPersonalApiKey(db, principal, params.id),
  })
}
